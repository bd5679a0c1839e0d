package memory

import (
	"path/filepath"
	"testing"
)

// What was said in a folder holds in the repositories below it.
func TestHoldsIn(t *testing.T) {
	t.Setenv("HOME", filepath.FromSlash("/home/ada"))
	t.Setenv("USERPROFILE", filepath.FromSlash("/home/ada"))
	ws := Project{Name: "ws", Path: "/home/ada/ws"}
	tests := []struct {
		name   string
		home   Project
		parts  []string
		source Source
		path   string // of the project in which it is asked for
		want   bool
	}{
		{"the folder itself", ws, nil, Preferences, "/home/ada/ws", true},
		{"a repository below", ws, nil, Preferences, "/home/ada/ws/a", true},
		{"one deep below", ws, nil, Journal, "/home/ada/ws/group/b", true},
		{"one beside", ws, nil, Preferences, "/home/ada/ws2/a", false},
		{"one above", ws, nil, Preferences, "/home/ada", false},
		{"from a repository to the folder above", Project{Name: "a", Path: "/home/ada/ws/a"}, nil, Preferences, "/home/ada/ws", false},
		{"of the one that it names", ws, []string{"a"}, Preferences, "/home/ada/ws/a", true},
		{"of another", ws, []string{"a"}, Preferences, "/home/ada/ws/b", false},
		{"of one with a longer name", ws, []string{"a"}, Preferences, "/home/ada/ws/ab", false},
		{"of two, one", ws, []string{"a", "group/b"}, Preferences, "/home/ada/ws/group/b", true},
		{"of two, another", ws, []string{"a", "b"}, Preferences, "/home/ada/ws/c", false},
		{"of one, where it was said", ws, []string{"a"}, Preferences, "/home/ada/ws", true},
		{"of too many", ws, []string{"a", "b", "c", "d", "e"}, Preferences, "/home/ada/ws/f", true},
		{"of one with an odd name", ws, []string{"{x}"}, Preferences, "/home/ada/ws/a", true},
		{"how far a session came", ws, nil, Handoffs, "/home/ada/ws/a", false},
		{"the user's own folder", Project{Name: "ada", Path: "/home/ada"}, nil, Preferences, "/home/ada/ws/a", false},
		{"the folder of all users", Project{Name: "home", Path: "/home"}, nil, Preferences, "/home/ada/ws/a", false},
		{"a folder elsewhere", Project{Name: "src", Path: "/srv/src"}, nil, Preferences, "/srv/src/a", true},
		{"the root of all", Project{Name: "/", Path: "/"}, nil, Preferences, "/srv/a", false},
		{"a project without a folder", Project{Name: "ws", Remote: "h/ws"}, nil, Preferences, "/home/ada/ws/a", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Memory{Source: tt.source}
			tt.home.Path = filepath.FromSlash(tt.home.Path)
			m.SetHome(tt.home)
			m.Narrow(tt.parts)
			if got := m.HoldsIn(Project{Name: "x", Path: filepath.FromSlash(tt.path)}); got != tt.want {
				t.Errorf("HoldsIn = %t, want %t (%s)", got, tt.want, m.AppliesTo)
			}
		})
	}
}
