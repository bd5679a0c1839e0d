package disguise

import (
	"strings"
	"sync"
	"unicode"
)

// roles are the words by which somebody claims to be who is obeyed: the user, Claude, the system, an
// administrator, or who speaks with their approval. A word of several is written as one.
const roles = `
user users enduser superuser poweruser human owner you your yourself me myself operator boss
benutzer benutzerin nutzer nutzerin anwender anwenderin inhaber besitzer eigentümer mensch ich utilisateur utilisatrice propriétaire
humain vous moi usuario usuaria usuário usuária dueño propietario humano usted utilizador dono utente proprietario umano gebruiker
eigenaar mens användare användaren ägare bruger brugeren bruker brukeren käyttäjä omistaja użytkownik właściciel człowiek uživatel
používateľ felhasználó utilizator proprietar пользователь юзер владелец человек користувач власник потребител kullanıcı χρήστης
ιδιοκτήτης 用户 用戶 使用者 主人 人类 人類 ユーザー ユーザ 利用者 人間 사용자 유저 인간 المستخدم مستخدم المالك משתמש המשתמש הבעלים
उपयोगकर्ता यूज़र ผู้ใช้ ngườidùng pengguna کاربر mtumiaji utilizatorul utilizatorului потребителят корисник корисникот korisnik
uporabnik vartotojas lietotājs kasutaja ব্যবহারকারী பயனர் వినియోగదారు gumagamit notandi notandinn úsáideoir erabiltzailea usuari
მომხმარებელი օգտատեր օգտագործող istifadəçi пайдаланушы foydalanuvchi карыстальнік gebruikers brukerne përdoruesi

claude claudecode claudeai anthropic assistant assistants ai llm chatbot chatgpt gpt openai copilot gemini recollect model
assistent assistentin assistente asistente asistan assistentti asystent asistent ассистент помощник помічник клод клауд клаудия
克劳德 克勞德 クロード 클로드 كلود קלוד क्लॉड κλοντ 助手 智能体 アシスタント 어시스턴트 المساعد עוזר सहायक

system systems sys sysop systemprompt root developer développeur entwickler système systeem sistema sistem systém systemet
järjestelmä rendszer система системы σύστημα 系统 系統 システム 시스템 النظام מערכת सिस्टम ระบบ hệthống

admin admins administrator administrators sysadmin superadmin moderator administratorin administrateur administratrice administrador
administradora amministratore beheerder administratör ylläpitäjä administrátor správce rendszergazda yönetici администратор админ
адміністратор администратора διαχειριστής 管理员 管理員 管理者 管理人 アドミン 관리자
المسؤول المدير מנהל प्रशासक व्यवस्थापक
quảntrịviên ผู้ดูแลระบบ

maintainer maintainers supervisor supervisors manager superior compliance itdepartment securityteam security legal
tool tools hook hooks sessionstart systemverwalter systemadministrator administratorul مدير

verified approved confirmed authorized official trusted important
`

// claims are the readings of the roles.
var claims = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, role := range strings.Fields(roles) {
		for _, reading := range Readings(role) {
			out[reading] = true
		}
	}
	return out
})

// Claims reports whether a name says that somebody is who is obeyed, in any language, letters or
// spelling: as a word of it, or with its words run together.
func Claims(name string) bool {
	for _, reading := range Readings(splitCapitals(name)) {
		words := strings.FieldsFunc(reading, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		for i := range words {
			for j := i + 1; j <= len(words); j++ {
				if claims()[strings.TrimPrefix(strings.Join(words[i:j], ""), "the")] {
					return true
				}
			}
		}
		if hasRoleWithin(reading) {
			return true
		}
	}
	return false
}

// splitCapitals returns a name with a space where a capital follows a small letter, as in ClaudeCode.
func splitCapitals(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// hasRoleWithin reports whether a name has a role in a script that puts no spaces between words.
func hasRoleWithin(name string) bool {
	if !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}) {
		return false
	}
	for role := range claims() {
		if role[0] >= 0xe0 && strings.Contains(name, role) { // of three bytes a character
			return true
		}
	}
	return false
}
