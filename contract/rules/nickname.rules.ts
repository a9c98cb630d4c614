import { lengthOf } from '#contract/characters.ts'
import { searchForm } from '#contract/text.ts'

const profileLimits = { nicknameMin: 2, nicknameMax: 10, signatureMin: 2, signatureMax: 30 } as const

/** Letters of any script with their marks, decimal digits, and single blanks between. */
const plainText = /^[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*(?: [\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}]*)*$/u

/** Alphabets whose letters look like those of another one: a word of one of them has letters of no other script. */
const confusable = [
  /[\p{Script=Cyrillic}]/u,
  /[\p{Script=Greek}]/u,
  /[\p{Script=Armenian}]/u,
  /[\p{Script=Cherokee}]/u,
  /[\p{Script=Coptic}]/u,
  /[\p{Script=Lisu}]/u,
]
/** Scripts that stand in one word with Latin letters only. The scripts of Chinese, Japanese and Korean count as one script here. */
const separate = [
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]/u,
  ...[/[\p{scx=Thai}]/u, /[\p{scx=Lao}]/u, /[\p{scx=Khmer}]/u, /[\p{scx=Arabic}]/u, /[\p{scx=Hebrew}]/u, /[\p{scx=Devanagari}]/u],
  ...[/[\p{scx=Bengali}]/u, /[\p{scx=Tamil}]/u, /[\p{scx=Telugu}]/u, /[\p{scx=Georgian}]/u, /[\p{scx=Ethiopic}]/u, /[\p{scx=Myanmar}]/u],
]

/** Whether a word mixes scripts so that it can be taken for another word; as level 4 of Unicode TR 39, word by word. */
function isMixed(word: string): boolean {
  const letters = [...word].filter((one) => /\p{L}/u.test(one))
  const alike = confusable.find((script) => letters.some((one) => script.test(one)))
  if (alike) return !letters.every((one) => alike.test(one))
  const rest = letters.filter((one) => !/\p{Script=Latin}/u.test(one))
  const script = separate.find((one) => rest.some((letter) => one.test(letter)))
  return script !== undefined && !rest.every((one) => script.test(one))
}

/** Digits of one system: ASCII digits, or no ASCII digit. */
const isOneSystem = (text: string): boolean => !(/[0-9]/.test(text) && /(?![0-9])\p{Nd}/u.test(text))

/** NFKC, but for a vowel of Thai and of Lao that it would take apart. */
const composed = (text: string): string => text.replace(/[^\u0e33\u0eb3]+/g, (part) => part.normalize('NFKC'))

/** As it is stored: full-width letters and digits become ordinary ones, blanks at the ends go, several become one. Undefined for other signs. */
function plainOf(text: string, min: number, max: number): string | undefined {
  const plain = composed(text).trim().replace(/ +/g, ' ')
  const length = lengthOf(plain, max + 1)
  const fits = length >= min && length <= max && plainText.test(plain) && isOneSystem(plain)
  return fits && !plain.split(' ').some(isMixed) ? plain : undefined
}

/** The name as it is stored, or undefined. Characters are those that a person sees. */
export const nicknameOf = (text: string): string | undefined => plainOf(text, profileLimits.nicknameMin, profileLimits.nicknameMax)

/** As nicknameOf; an empty signature is none. */
export function signatureOf(text: string): string | undefined {
  return text.trim() === '' ? '' : plainOf(text, profileLimits.signatureMin, profileLimits.signatureMax)
}

/**
 * Names that belong to those who run the platform, in all its languages: nobody else may seem to speak for it. In Latin and Cyrillic a whole
 * word counts, in scripts without blanks between words any part of the name.
 */
const reservedWords =
  'admin|administrator|administrador|administrateur|moderator|moderador|moderateur|mod|operator|operador|operateur|reviewer|support|soporte|assistance|helpdesk|help|official|oficial|officiel|staff|system|sysop|root|security|service|tessera|админ|администратор|модератор|поддержка'
const reservedParts = [
  ...['客服', '官方', '管理员', '管理員', '管理者', '运营', '運營', '運営', '审核员', '審核員', '系统', '系統', '公式', 'サポート'],
  ...['관리자', '운영자', '고객센터', '고객지원', '공식', '지원팀', 'แอดมิน', 'ผู้ดูแล', 'ทางการ', 'ฝ่ายบริการ'],
]
/** Digits and letters that stand in for another letter. */
const standIns: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', l: 'i', rn: 'm', vv: 'w' }
/** Without case, accents, width and stand-ins: names with the same form read alike. */
const likeness = (text: string) => searchForm(text).replace(/rn|vv|[0134578l]/g, (sign) => standIns[sign]!)
const likeWords = new RegExp(`^(?:${likeness(reservedWords)})+$`)
const likeParts = reservedParts.map(likeness)

/** Whether a stored nickname reads like one of the platform or of its operators: `Admin`, `ádm1n 7`, `S u p p o r t`, `小明客服`. */
export function isReservedName(nickname: string): boolean {
  const whole = nickname.replaceAll(' ', '')
  const words = [...nickname.split(' '), whole].flatMap((word) => [word, word.replace(/^\p{Nd}+|\p{Nd}+$/gu, '')])
  return words.some((word) => likeWords.test(likeness(word))) || likeParts.some((part) => likeness(whole).includes(part))
}

/** Problem of a typed nickname; undefined where it may be used. */
export function nicknameProblem(text: string): 'nickname_wrong' | 'nickname_reserved' | undefined {
  const nickname = nicknameOf(text)
  if (nickname === undefined) return 'nickname_wrong'
  return isReservedName(nickname) ? 'nickname_reserved' : undefined
}
