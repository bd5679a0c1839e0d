package capture

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"
)

// makers are the functions that make a lazyRegexp, or several, of their
// arguments from this one on. What some put before or behind a text is valid
// by itself.
var makers = map[string]int{"lazy": 0, "phrase": 0, "compile": 0, "wishFor": 2}

// Every text that will be compiled one day can be: the package's sources are
// read for it, because no other test uses them all.
func TestLazyTexts(t *testing.T) {
	files, fset := sources(t)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checker := types.Config{Importer: noImports{}, Error: func(error) {}} // constants need no imports
	checker.Check("capture", fset, files, info)
	checked := 0
	for _, text := range madeLazy(files) {
		value := info.Types[text].Value
		if value == nil {
			t.Errorf("%s: not constant", fset.Position(text.Pos()))
			continue
		}
		checked++
		if _, err := regexp.Compile(constant.StringVal(value)); err != nil {
			t.Errorf("%s: %v", fset.Position(text.Pos()), err)
		}
	}
	if checked < 100 {
		t.Errorf("%d texts found", checked)
	}
}

// madeLazy returns the texts of which the package's variables are made.
func madeLazy(files []*ast.File) []ast.Expr {
	var found []ast.Expr
	visit := func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name, _ := call.Fun.(*ast.Ident)
			if first, ok := makers[fmt.Sprint(name)]; ok && name != nil {
				for _, arg := range call.Args[first:] {
					found = append(found, elements(arg)...)
				}
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

// elements returns the elements of a list that arg joins, or else arg.
func elements(arg ast.Expr) []ast.Expr {
	if call, ok := arg.(*ast.CallExpr); ok && len(call.Args) == 2 {
		if list, ok := call.Args[0].(*ast.CompositeLit); ok {
			return list.Elts
		}
	}
	return []ast.Expr{arg}
}

func sources(t *testing.T) ([]*ast.File, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files, fset
}

// noImports knows no package.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }
