/**
 * The alphabet of GSM networks (3GPP TS 23.038 section 6.2.1): 7 bits a character, and ten more
 * characters behind an escape, which cost two. Here one septet is one octet, as in SMPP; the
 * provider packs eight into seven.
 */
const escapeCode = 0x1b

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const extension: Record<string, number> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const none = 0xff
const escaped = 0x80
/** By UTF-16 unit: the code, with `escaped` set where it needs the escape. */
const codes = new Uint8Array(0x10000).fill(none)
for (let code = 0; code < basic.length; code++) {
  if (code !== escapeCode) codes[basic.charCodeAt(code)] = code
}
for (const [character, code] of Object.entries(extension)) {
  codes[character.charCodeAt(0)] = code | escaped
}

/** Septets of one UTF-16 unit: 1 or 2, or 0 where the alphabet does not contain it. */
export function septetsOf(unit: number): 0 | 1 | 2 {
  const code = codes[unit] ?? none
  if (code === none) return 0
  return code & escaped ? 2 : 1
}

/** The text with one septet an octet; undefined where a character is not in the alphabet. */
export function encodeGsm(text: string): Buffer | undefined {
  const octets = Buffer.allocUnsafe(text.length * 2)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = codes[text.charCodeAt(index)] ?? none
    if (code === none) return undefined
    if (code & escaped) octets[length++] = escapeCode
    octets[length++] = code & ~escaped
  }
  return octets.subarray(0, length)
}

const extensionByCode = new Map(Object.entries(extension).map(([text, code]) => [code, text]))

/**
 * An unknown escape represents the character that follows it, as the standard requires. An escape
 * at the end and octets over 0x7f are not characters and become U+FFFD.
 */
export function decodeGsm(octets: Uint8Array): string {
  let text = ''
  for (let index = 0; index < octets.length; index++) {
    const octet = octets[index] ?? escapeCode
    if (octet !== escapeCode) text += basic[octet] ?? '\ufffd'
    else {
      const next = octets[++index]
      text += next === undefined ? '\ufffd' : (extensionByCode.get(next) ?? plain(next))
    }
  }
  return text
}

function plain(octet: number): string {
  return octet === escapeCode ? ' ' : (basic[octet] ?? '\ufffd')
}
