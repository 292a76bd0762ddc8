/**
 * Whether a name could be taken for another one. For names that a stranger chose and a person
 * decides by, such as that of an app on the page where they let it in. After Unicode's UTS #39,
 * "Unicode Security Mechanisms": mixed scripts (5.1, 5.2), invisible characters and stacked marks
 * (3.1, 5.4), with the look-alikes of its data file confusables.txt.
 */

type Kind = 'latin' | 'cyrillic' | 'greek' | 'unlike' | 'other'

/** Letters of these scripts look like none of Latin, and are written beside it without a space. */
const unlikeLatin =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Arab}\p{scx=Hebr}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Thaa}\p{scx=Ethi}]/u
/** Scripts in which a joiner changes what is seen (Unicode 17, 23.2 "Layout Controls"). */
const joinedScript =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/u
const letter = /\p{L}/u
const mark = /\p{Mn}/u
const digit = /\p{N}/u
const latin = /\p{sc=Latin}/u
const cyrillic = /\p{sc=Cyrillic}/u
const greek = /\p{sc=Greek}/u
const common = /\p{sc=Common}/u

/** The letters of confusables.txt that look like one of Latin. */
const lookAlikes: ReadonlySet<string> = new Set(
  Array.from('аеорсухѕіјһԁԛԝӏѵүАВЕКМНОРСТХУЅІЈԚԜҮѴ' + 'αγινορσυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'),
)
/** A shorter word may be one of its own language, such as the Russian for "with". */
const shortestForged = 3
/** As many marks on one letter as any language writes. */
const mostMarks = 4

const [zwnj, zwj, textStyle, emojiStyle] = ['\u200c', '\u200d', '\ufe0e', '\ufe0f']

/** What is wrong with the name, such as `mixes Latin letters with Cyrillic ones in a word`. */
export function deceptionIn(name: string): string | undefined {
  const characters = Array.from(name)
  return invisibleIn(characters) ?? stackedIn(characters) ?? mixtureIn(characters)
}

/** Drops the selectors that only choose between the two styles of an emoji. */
export function withoutEmojiStyle(name: string): string {
  const characters = Array.from(name)
  return characters.filter((_, index) => !isEmojiStyle(characters, index)).join('')
}

function isEmojiStyle(characters: readonly string[], index: number): boolean {
  const [before = '', character] = [characters[index - 1], characters[index]]
  return (character === textStyle || character === emojiStyle) && picture.test(before)
}

function invisibleIn(characters: readonly string[]): string | undefined {
  const culprit = characters.find((character, index) => {
    if (!invisible.test(character) || isEmojiStyle(characters, index)) return false
    const [before = '', after = ''] = [characters[index - 1], characters[index + 1]]
    if (character === zwj && picture.test(after)) {
      return !picture.test(before) && !isEmojiStyle(characters, index - 1)
    }
    const isJoiner = character === zwnj || character === zwj
    return !(isJoiner && joinedScript.test(before) && after !== '')
  })
  if (culprit === undefined) return undefined
  const code = culprit.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `holds the invisible character U+${code}`
}

function stackedIn(characters: readonly string[]): string | undefined {
  let marks = 0
  for (const character of characters) {
    marks = mark.test(character) ? marks + 1 : 0
    if (marks > mostMarks) return `has more than ${mostMarks} marks on one letter`
  }
  return undefined
}

interface Word {
  kinds: Set<Kind>
  letters: string[]
}

function wordsOf(characters: readonly string[]): Word[] {
  const words: Word[] = []
  let word: Word | undefined
  for (const character of characters) {
    const isLetter = letter.test(character)
    if (!isLetter && !mark.test(character) && !digit.test(character)) {
      word = undefined
      continue
    }
    if (!word) {
      word = { kinds: new Set(), letters: [] }
      words.push(word)
    }
    if (!isLetter || common.test(character)) continue
    word.letters.push(character)
    word.kinds.add(kindOf(character))
  }
  return words
}

function kindOf(character: string): Kind {
  if (latin.test(character)) return 'latin'
  if (cyrillic.test(character)) return 'cyrillic'
  if (greek.test(character)) return 'greek'
  return unlikeLatin.test(character) ? 'unlike' : 'other'
}

const scriptNames: Record<Kind, string> = {
  latin: 'Latin',
  cyrillic: 'Cyrillic',
  greek: 'Greek',
  unlike: 'other',
  other: 'other',
}

function mixtureIn(characters: readonly string[]): string | undefined {
  const words = wordsOf(characters)
  for (const { kinds } of words) {
    const [first, second, ...more] = kinds
    if (first === undefined || second === undefined) continue
    const isUsual = more.length === 0 && kinds.has('latin') && kinds.has('unlike')
    if (isUsual) continue
    const [script, otherScript] =
      first === 'other' || first === 'unlike' ? [second, first] : [first, second]
    return `mixes ${scriptNames[script]} letters with ${scriptNames[otherScript]} ones in a word`
  }
  const hasLatin = words.some(({ kinds }) => kinds.has('latin'))
  const forged = words.some(
    ({ letters }) =>
      letters.length >= shortestForged && letters.every((entry) => lookAlikes.has(entry)),
  )
  return hasLatin && forged ? 'spells a word with letters that look like Latin ones' : undefined
}
