package guard

import (
	"path"
	"regexp"
	"strings"
)

// A glob is of paths as the project names them. One without a slash is of names in any folder; whatever
// lies below a folder that fits, fits too.
type glob struct {
	re    *regexp.Regexp
	plain string // its beginning up to the first wildcard, "" if it may lie anywhere
}

// homes are what "~" stands for in a path that Claude names in full.
const homes = `(?:~|\$HOME|/root|/home/[^/]+|/Users/[^/]+)`

func compileGlob(pattern string) glob {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	pattern = strings.TrimSuffix(pattern, "/**")
	var b strings.Builder
	b.WriteString(`^`)
	if !strings.Contains(pattern, "/") {
		b.WriteString(`(?:.*/)?`)
	}
	rest := pattern
	if strings.HasPrefix(rest, "~/") {
		b.WriteString(homes)
		rest = rest[1:]
	}
	for rest != "" {
		n := 1
		switch {
		case strings.HasPrefix(rest, "**/"):
			n = 3
			b.WriteString(`(?:.*/)?`)
		case strings.HasPrefix(rest, "**"):
			n = 2
			b.WriteString(`.*`)
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
		case rest[0] == '?':
			b.WriteString(`[^/]`)
		default:
			if n = strings.IndexAny(rest, "*?"); n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
		}
		rest = rest[n:]
	}
	b.WriteString(`(?:/.*)?$`)
	g := glob{re: regexp.MustCompile(b.String())}
	if strings.Contains(pattern, "/") {
		g.plain, _, _ = strings.Cut(pattern, "*")
	}
	return g
}

func (g glob) fits(file string) bool { return file != "" && g.re.MatchString(path.Clean(file)) }

// liesIn reports whether all that the glob is of lies in a folder.
func (g glob) liesIn(folder string) bool {
	folder = path.Clean(folder)
	return g.plain != "" && (folder == "." || strings.HasPrefix(g.plain, folder+"/"))
}
