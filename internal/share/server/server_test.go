package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

const other = "git.example.com/acme/secret.plans"

// credentials writes a file with a name and a password.
func credentials(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// permissions are what docs/team.md has an administrator give a member.
func permissions(member string, write bool, projects ...string) *server.Permissions {
	publish := []string{"$JS.API.STREAM.INFO.RECOLLECT", "$JS.API.CONSUMER.DELETE.RECOLLECT.*", "$JS.FC.RECOLLECT.>"}
	for _, p := range projects {
		publish = append(publish, "$JS.API.CONSUMER.CREATE.RECOLLECT.*."+root+"."+Token(p)+".>")
		if write {
			publish = append(publish, root+"."+Token(p)+"."+member+".*")
		}
	}
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX_" + member + ".>"}}}
}

// A member who may not read a project never receives its messages, whatever it asks for; one who may
// not write sends none; nobody sends in the name of another; who is revoked gets nothing more.
func TestPermissions(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 1, func(o *server.Options) {
		o.Users = []*server.User{
			{Username: "admin", Password: "x"},
			{Username: "ana", Password: "a:b", Permissions: permissions("ana", true, project, other)},
			{Username: "bob", Password: "b", Permissions: permissions("bob", true, project)},
			{Username: "eve", Password: "e", Permissions: permissions("eve", false, project)},
		}
	})
	as := func(login string) Server { return Server{URL: c.url(), Credentials: credentials(t, login)} }
	admin := join(t, t.TempDir(), as("admin:x"), other) // makes the stream
	eventually(t, "the stream is there", func() bool { return admin.Status().Connected })
	ana := join(t, t.TempDir(), as("ana:a:b"), project, other)
	bob := join(t, t.TempDir(), as("bob:b"), project, other)
	eve := join(t, t.TempDir(), as("eve:e"), project)
	ana.share(t, project, "open", 3)
	ana.share(t, other, "secret", 2)
	bob.share(t, project, "his", 1)
	eve.share(t, project, "unwanted", 1)

	same(t, 6, ana)
	eventually(t, "bob has what he may", func() bool { n, _ := bob.count(); return n == 4 })
	eventually(t, "it is known what bob may not", func() bool { return bob.Status().Refused[other] == "read" })
	eventually(t, "it is known what eve may not", func() bool { return eve.Status().Refused[project] == "publish" })
	eventually(t, "eve has what she may", func() bool { n, _ := eve.count(); return n == 4 })
	if n := eve.Status().Waiting; n != 1 {
		t.Errorf("%d of eve's memories wait, want the one that was refused", n)
	}

	// what a member could try with a program of its own
	nc, err := nats.Connect(c.url(), nats.UserInfo("bob", "b"), nats.CustomInboxPrefix("_INBOX_bob"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	const mine = "_INBOX_bob.stolen"
	got, err := nc.SubscribeSync(mine)
	if err != nil {
		t.Fatal(err)
	}
	inbox, err := nc.SubscribeSync("_INBOX_ana.>")
	if err != nil {
		t.Fatal(err)
	}
	direct, err := nc.SubscribeSync(Filter(other))
	if err != nil {
		t.Fatal(err)
	}
	everything := `{"stream_name":"RECOLLECT","config":{"deliver_policy":"all","ack_policy":"none","replay_policy":"instant","deliver_subject":"` + mine + `","filter_subject":"` + Filter(other) + `"}}`
	several := strings.Replace(everything, `"filter_subject":"`+Filter(other)+`"`, `"filter_subjects":["`+Filter(project)+`","`+Filter(other)+`"]`, 1)
	both := strings.Replace(several, `"filter_subjects"`, `"filter_subject":"`+Filter(project)+`","filter_subjects"`, 1)
	for about, request := range map[string]string{
		"$JS.API.CONSUMER.CREATE.RECOLLECT.y." + Filter(project): several,
		"$JS.API.CONSUMER.CREATE.RECOLLECT.z." + Filter(project): both,
		"$JS.API.CONSUMER.CREATE.RECOLLECT":                      everything,
		"$JS.API.CONSUMER.CREATE.RECOLLECT.x":                    everything,
		"$JS.API.CONSUMER.CREATE.RECOLLECT.x." + Filter(other):   everything,
		"$JS.API.CONSUMER.CREATE.RECOLLECT.x." + Filter(project): everything, // the filter must be the subject's
		"$JS.API.CONSUMER.DURABLE.CREATE.RECOLLECT.x":            everything,
		"$JS.API.STREAM.MSG.GET.RECOLLECT":                       `{"seq":4}`,
		"$JS.API.DIRECT.GET.RECOLLECT":                           `{"seq":4}`,
		"$JS.API.STREAM.DELETE.RECOLLECT":                        "",
		"$JS.API.STREAM.PURGE.RECOLLECT":                         "",
		subjectOf(project, "ana", "open-0"):                      "not by ana",
		subjectOf(other, "bob", "x"):                             "not for bob",
	} {
		if err := nc.PublishRequest(about, mine, []byte(request)); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	ana.share(t, other, "secret-too", 1)
	same(t, 7, ana)
	for name, sub := range map[string]*nats.Subscription{"of a request": got, "sent to ana": inbox, "of the project itself": direct} {
		for {
			m, err := sub.NextMsg(200 * time.Millisecond)
			if err != nil {
				break
			}
			if strings.Contains(string(m.Data), "secret") || strings.HasPrefix(m.Subject, root) {
				t.Errorf("bob reads what is %s: %s %s", name, m.Subject, m.Data)
			}
		}
	}

	// revoked
	o := c.options[0].Clone()
	o.Users = o.Users[:2]
	if err := c.servers[0].ReloadOptions(o); err != nil {
		t.Fatal(err)
	}
	eventually(t, "bob is not let in", func() bool {
		return !bob.Status().Connected && strings.Contains(strings.ToLower(bob.Status().Problem), "authorization")
	})
	ana.share(t, project, "later", 1)
	same(t, 8, ana)
	if n, _ := bob.count(); n != 4 {
		t.Errorf("bob has %d memories after he was revoked, want 4", n)
	}
}

// A server whose certificate the named file signs is reached by tls, another one is not.
func TestEncrypted(t *testing.T) {
	t.Parallel()
	ca, config := certificate(t)
	c := startCluster(t, 1, func(o *server.Options) { o.TLSConfig, o.TLSTimeout = config, 5 })
	url := strings.ReplaceAll(c.url(), "nats://", "tls://")
	trusting := join(t, t.TempDir(), Server{URL: url, CA: ca}, project)
	careful := join(t, t.TempDir(), Server{URL: url}, project)
	trusting.share(t, project, "x", 2)
	same(t, 2, trusting)
	eventually(t, "the certificate is refused", func() bool { return strings.Contains(careful.Status().Problem, "certificate") })
}

// certificate returns the file of a certificate for the loopback, and what a server with it needs.
func certificate(t *testing.T) (path string, config *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// A server that takes connections and says nothing holds up nobody who shares, joins, asks or ends.
func TestServerHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m := join(t, t.TempDir(), Server{URL: "nats://" + l.Addr().String()})
	began := time.Now()
	if err := m.Join(project); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept() // and nothing more
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	m.share(t, project, "x", 1)
	if st := m.Status(); st.Connected || st.Waiting != 1 {
		t.Errorf("status %+v", st)
	}
	m.end()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}
