package embed

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// asServer is set in the environment of a test process that is to be a server
// of embeddings instead.
const asServer = "RECOLLECT_TEST_EMBEDDINGS"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		serve()
		return
	}
	os.Exit(m.Run())
}

// startServer starts a process that speaks both protocols and returns its URL.
// It ends with the test, when its standard input does.
func startServer(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// serve is the server's main. It behaves, or not, as the name of the model
// that it is asked for says.
func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/embed", serveOllama)
	mux.HandleFunc("POST /v1/embeddings", serveOpenAI)
	fmt.Printf("http://%s\n", listener.Addr())
	go http.Serve(listener, mux)
	bufio.NewReader(os.Stdin).ReadByte() // until the test has gone
}

func serveOllama(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model string
		Input string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !misbehave(w, r, in.Model) {
		fmt.Fprintf(w, `{"model": %q, "embeddings": [%s]}`, in.Model, strings.Join(vectors(in.Model, []string{in.Input}), ","))
	}
}

func serveOpenAI(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if misbehave(w, r, in.Model) {
		return
	}
	var data []string
	for i, v := range vectors(in.Model, in.Input) {
		data = append(data, fmt.Sprintf(`{"object": "embedding", "index": %d, "embedding": %s}`, i, v))
	}
	if in.Model == "backwards" {
		slices.Reverse(data)
	}
	fmt.Fprintf(w, `{"object": "list", "data": [%s]}`, strings.Join(data, ","))
}

// misbehave answers for a model that does not get as far as vectors.
func misbehave(w http.ResponseWriter, r *http.Request, model string) bool {
	switch model {
	case "page":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html>", strings.Repeat("<p>Bad gateway\n", 1000))
	case "proxy": // an error page that says it is none
		fmt.Fprint(w, "<html>\n<body>Sign in\n</body>")
	case "endless":
		fmt.Fprint(w, `{"embeddings": [[`, strings.Repeat("0.1,", maxAnswer), `1]]}`)
	case "missing":
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error": "model not found, try pulling it first"}`)
	case "elsewhere":
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
	case "silent":
		<-r.Context().Done()
	case "secret":
		if r.Header.Get("Authorization") == "Bearer s3cret" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
	default:
		return false
	}
	return true
}

// vectors returns the vectors of texts as JSON.
func vectors(model string, texts []string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, vector(model, text))
	}
	switch model {
	case "half":
		return out[:len(out)/2]
	case "double":
		return append(out, out...)
	}
	return out
}

func vector(model, text string) string {
	switch model {
	case "nan":
		return "[NaN, 1, 1, 1]"
	case "infinite":
		return "[1e39, 1, 1, 1]"
	case "zeros":
		return "[0, 0, 0, 0]"
	case "empty":
		return "[]"
	case "null":
		return "null"
	case "moody": // another model behind the same name
		if strings.Contains(text, "dog") {
			return "[1, 2, 3]"
		}
	}
	b, _ := json.Marshal(wordVector(text))
	return string(b)
}

// wordVector adds up a made-up vector for each word.
func wordVector(text string) []float32 {
	v := make([]float32, 4)
	for _, word := range strings.Fields(text) {
		h := fnv.New32a()
		h.Write([]byte(word))
		for i, b := range h.Sum(nil) {
			v[i] += float32(b) - 100.5
		}
	}
	return v
}
