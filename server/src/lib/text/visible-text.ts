/**
 * Names on which a person bases a decision, such as those on the pages of consent and approval,
 * contain nothing invisible. Control characters would forge lines, direction marks would reverse
 * the text beside them, and format characters (Unicode's category Cf) would make two names look
 * alike. ZWNJ and ZWJ stay, since Persian, Indic scripts and emoji need them.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Cf}]/u
const joiners = /[\u200c\u200d]/g

export function hasUnseen(text: string): boolean {
  return unseen.test(text.replace(joiners, ''))
}

const format = /\p{Cf}/gu

/** Characters that Arabic, Hebrew and the flags of England, Scotland and Wales need. */
const ofScripts = /[\u061c\u200c-\u200f\u{e0020}-\u{e007f}]/gu

/** The first format character of a line that no script needs, as `U+202E`. */
export function formatCharacter(text: string): string | undefined {
  const [character] = text.replace(ofScripts, '').match(format) ?? []
  return character && `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

/** For text that was pasted and becomes a name. */
export function withoutFormat(text: string): string {
  return text.replace(format, (character) => (joiner.has(character) ? character : ''))
}

/** What marks the direction or a break of pasted text, and shows nothing by itself. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** For a pasted address or number, which needs none of these characters. */
export function withoutInvisible(text: string, exceptions: ReadonlySet<string> = nothing): string {
  return text.replace(invisible, (character) => (exceptions.has(character) ? character : ''))
}

const nothing: ReadonlySet<string> = new Set()
export const joiner: ReadonlySet<string> = new Set(['\u200c', '\u200d'])
