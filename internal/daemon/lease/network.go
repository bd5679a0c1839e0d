package lease

import (
	"slices"
	"strings"
)

// networks are the file systems by which several machines, or a machine and its virtual ones, may
// have one folder; of those in user space, what their names begin with.
var networks = []string{
	"9p", "acfs", "afpfs", "afs", "beegfs", "ceph", "cifs", "drvfs", "fakeowner", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
	"orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav",
}

var userSpaceNetworks = []string{"ceph", "davfs", "glusterfs", "grpcfuse", "osxfs", "prl_fsd", "rclone", "s3fs", "seaweedfs", "smb", "sshfs", "vmhgfs", "juicefs"}

// Network returns the name of dir's file system if other machines may have dir too, as far as is
// known, else "".
func Network(dir string) string { return network(fileSystem(dir)) }

func network(name string) string {
	shared := slices.Contains(networks, name)
	if inUserSpace, ok := strings.CutPrefix(name, "fuse."); ok {
		shared = slices.ContainsFunc(userSpaceNetworks, func(n string) bool { return strings.HasPrefix(inUserSpace, n) })
	}
	if !shared {
		return ""
	}
	return name
}
