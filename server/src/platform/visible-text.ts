/**
 * Names that a person decides by, such as those on the pages of consent and approval, hold
 * nothing unseen: control characters would forge lines, marks of direction turn round the text
 * beside them, and format characters (Unicode's category Cf) make two names look alike. ZWNJ
 * and ZWJ stay, which Persian, Indic scripts and emoji are written with.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Cf}]/u
const joiners = /[\u200c\u200d]/g

export function hasUnseen(text: string): boolean {
  return unseen.test(text.replace(joiners, ''))
}
