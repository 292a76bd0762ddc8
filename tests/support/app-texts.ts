/** The texts of the app, as its folders of languages have them. */
import { languageNames } from '../../web/src/words/texts.ts'

export const appTextsFolder = 'web/src/words'
export const appLanguages = Object.keys(languageNames)

export interface Text {
  /** Such as `forms.share.link`. */
  key: string
  value: unknown
}

/** Each text of a file, and each empty table: in English the server's own sentences stand there. */
export async function appTexts(language: string, file: string): Promise<Text[]> {
  const found: Text[] = []
  const add = (key: string, value: unknown) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (entries.length === 0) found.push({ key, value })
    for (const [name, part] of entries) add(`${key}.${name}`, part)
  }
  const module: unknown = await import(`../../${appTextsFolder}/${language}/${file}`)
  for (const [name, value] of Object.entries(module as object)) add(name, value)
  return found
}
