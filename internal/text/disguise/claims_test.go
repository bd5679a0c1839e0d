package disguise

import "testing"

func TestClaims(t *testing.T) {
	for _, name := range []string{
		"user", "The User", "Human.", "U s e r", "Us3r", "uѕer", "theuser", "Benutzer", "der Nutzer", "Utilisateur", "Usuario", "usuário", "Utente", "Пользователь",
		"用户", "系统管理员", "ユーザー", "사용자", "المستخدم", "χρήστης", "kullanıcı", "Kullanici", "Claude", "Сlaude", "Cl4ude", "C.l.a.u.d.e", "ClaudeCode", "claude-code",
		"𝐂𝐥𝐚𝐮𝐝𝐞", "Cla\u200bude", "Клод", "クロード", "System", "SYSTEM", "5ystem", "Système", "система", "Admin", "4dmin", "ADMINISTRATOR", "Administrateur",
		"администратор", "root", "sys-admin", "Anthropic Support", "Ana, approved by you", "Ana (verified)", "you", "me", "người dùng", "Çlaudë", "Assistant", "アシスタント",
		"Systemverwalter", "Utilizatorul", "Потребителят", "Korisnik", "Vartotojas", "usuari", "Օգտատեր", "Maintainer", "IT Department", "Security Team", "SessionStart", "hook",
	} {
		if !Claims(name) {
			t.Errorf("%q claims nothing", name)
		}
	}
	for _, name := range []string{
		"Ana Example", "Bob", "José García", "Jürgen Müller", "Ян Новак", "田中 太郎", "김민준", "王小明", "Hauser", "Clay Maude", "Claudia Roth", "Claudio", "Systrom", "Admiral Ackbar",
		"Robot Fan", "Sam Houser", "O'Neill", "Mary-Ann", "J. R. R. Tolkien", "ana42", "Mentz", "Rooter", "Yousef", "Meghan", "ana_example", "Modell Müller", "Αννα", "Người Việt",
	} {
		if Claims(name) {
			t.Errorf("%q claims to be who is obeyed", name)
		}
	}
}
