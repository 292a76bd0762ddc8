/** Reads the translations of a call: by the tags of their languages, each with parts of a template. */
import { orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { canonicalLanguageTag } from '../../lib/text/language-tag.ts'
import { sameBlocksInput } from '../blocks/input.ts'
import { templateLimits } from '../source.ts'

const translation = Type.Object(
  {
    subject: Type.Optional(Type.String()),
    preheader: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    mjml: Type.Optional(Type.String()),
    blocks: sameBlocksInput,
    text: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

const check = schemaCheck(translation, 'translation')

/** By canonical tag; null for one that is removed. */
export function readTranslations(
  translations: Readonly<Record<string, unknown>>,
): Map<string, Static<typeof translation> | null> {
  const read = new Map<string, Static<typeof translation> | null>()
  for (const [language, value] of Object.entries(translations)) {
    const tag = canonicalLanguageTag(language)
    const at = `translations.${language.slice(0, 40)}`
    if (tag === undefined) {
      throw no(at, 'is named by no language tag (BCP 47), such as de or pt-BR.', {
        reason: 'no_language',
      })
    }
    if (read.has(tag)) throw no(at, `names ${tag} a second time.`, { reason: 'language_twice' })
    if (value === null) {
      read.set(tag, null)
      continue
    }
    if (!isObject(value)) throw no(at, 'must be an object such as {"subject", "html"}, or null.')
    const _wrong = orThrow(check(value, at))
    read.set(tag, value)
  }
  return read
}

export function tooLong(translations: Readonly<Record<string, unknown>>): Refusal | undefined {
  const count = Object.keys(translations).length
  const { translations: maxTranslations, translationsLength: longest } = templateLimits
  if (count > maxTranslations)
    return no('translations', `are ${count}; the limit is ${maxTranslations}.`, {
      reason: 'too_many',
      limit: maxTranslations,
    })
  if (JSON.stringify(translations).length <= longest) return undefined
  return no('translations', `can be at most ${longest} characters of JSON together.`, {
    reason: 'blocks_too_long',
  })
}

function no(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}
