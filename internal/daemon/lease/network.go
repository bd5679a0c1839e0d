package lease

import (
	"slices"
	"strings"
)

// networks are the file systems that can share a folder among machines, also virtual ones.
var networks = []string{
	"9p", "acfs", "afpfs", "afs", "beegfs", "ceph", "cifs", "drvfs", "fakeowner", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
	"orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav",
}

// userSpaceNetworks are the beginnings of the names of such file systems in user space.
var userSpaceNetworks = []string{"ceph", "davfs", "glusterfs", "grpcfuse", "osxfs", "prl_fsd", "rclone", "s3fs", "seaweedfs", "smb", "sshfs", "vmhgfs", "juicefs"}

// Network returns the name of dir's file system if other machines may have mounted dir too. It returns
// "" if not, or if that is unknown.
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
