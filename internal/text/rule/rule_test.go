package rule

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every text in Go code that will be compiled one day can be: the sources of
// all packages that import this one are read for it, because no other test
// uses them all.
func TestLazyTexts(t *testing.T) {
	s := sources{fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}, read: map[string]*types.Package{}}
	checked := 0
	for _, path := range users(t) {
		for _, text := range madeLazy(s.parse(path)) {
			value := s.info.Types[text].Value
			if value == nil {
				t.Errorf("%s: not constant", s.fset.Position(text.Pos()))
				continue
			}
			checked++
			if _, err := regexp.Compile(constant.StringVal(value)); err != nil {
				t.Errorf("%s: %v", s.fset.Position(text.Pos()), err)
			}
		}
	}
	if checked < 25 {
		t.Errorf("%d texts found", checked)
	}
}

const module = "recollect/internal/"

// users returns the packages below internal that import this one.
func users(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path := module + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../")
		if strings.Contains(string(text), `"`+module+`text/rule"`) && !slices.Contains(found, path) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// sources reads packages of this module and knows the values of their
// constants. It reads no other package: constants need none.
type sources struct {
	fset  *token.FileSet
	info  *types.Info
	read  map[string]*types.Package
	files map[string][]*ast.File
}

func (s *sources) Import(path string) (*types.Package, error) {
	if !strings.HasPrefix(path, module) {
		return nil, errors.New("not needed")
	}
	s.parse(path)
	return s.read[path], nil
}

// parse returns the files of a package, without its tests.
func (s *sources) parse(path string) []*ast.File {
	if s.read[path] != nil {
		return s.files[path]
	}
	names, _ := filepath.Glob(filepath.Join("../..", filepath.FromSlash(strings.TrimPrefix(path, module)), "*.go"))
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if file, err := parser.ParseFile(s.fset, name, nil, 0); err == nil {
			files = append(files, file)
		}
	}
	if s.files == nil {
		s.files = map[string][]*ast.File{}
	}
	s.files[path] = files
	checker := types.Config{Importer: s, Error: func(error) {}}
	s.read[path], _ = checker.Check(path, s.fset, files, s.info)
	return files
}

// madeLazy returns the texts of which the variables in files are made.
func madeLazy(files []*ast.File) []ast.Expr {
	var found []ast.Expr
	visit := func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if nameOf(call.Fun) == "Lazy" {
				found = append(found, call.Args[0])
			}
		}
		return true
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			if variables, ok := decl.(*ast.GenDecl); ok {
				ast.Inspect(variables, visit)
			}
		}
	}
	return found
}

// nameOf returns the name of the function that is called, without its package.
func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}
