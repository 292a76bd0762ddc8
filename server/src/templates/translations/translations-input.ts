import { Type } from '../../lib/schema/schema.ts'

/** A loose schema, like that of blocks. The server reads translations strictly (`read-translations.ts`). */
const translations = (description?: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      ...(description !== undefined && { description }),
    }),
  )

export const translationsInput = translations(
  'By language: {"de":{"subject","html"}}; null removes.',
)

/** For callers who know `template.save`, which explains them. */
export const sameTranslationsInput = translations()
