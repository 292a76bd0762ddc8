/** What a business decides about the hosted page of a form. */
import { type Static, Type } from '../lib/schema/schema.ts'
import { embedSettings } from './embed.ts'

export const pageLimits = {
  titleLength: 200,
  textLength: 2_000,
  buttonLength: 60,
  labelLength: 1_000,
  urlLength: 2_000,
  sites: 20,
  languages: 20,
  /** Bytes of the whole page as JSON: the names of all countries in ten languages take 71 kB. */
  bytes: 128 * 1024,
} as const

const texts = {
  title: Type.Optional(Type.String({ maxLength: pageLimits.titleLength })),
  intro: Type.Optional(Type.String({ maxLength: pageLimits.textLength })),
  submit: Type.Optional(Type.String({ maxLength: pageLimits.buttonLength })),
  thanks: Type.Optional(Type.String({ maxLength: pageLimits.textLength })),
}

/** The texts of a form in one more language; omitted texts stay in the first language. */
const translation = Type.Object(
  {
    ...texts,
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: pageLimits.labelLength }), {
        description: 'Labels by key of the field.',
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
        description: 'By key of the field: what each option is called.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type FormTranslation = Static<typeof translation>

export const formPage = Type.Object(
  {
    ...texts,
    redirect_url: Type.Optional(
      Type.String({
        maxLength: pageLimits.urlLength,
        description: 'Where a visitor goes in place of the thanks.',
      }),
    ),
    allowed_sites: Type.Optional(
      Type.Array(Type.String({ maxLength: pageLimits.urlLength }), {
        maxItems: pageLimits.sites,
        description: 'Origins that may show it in an iframe, such as https://shop.example.',
      }),
    ),
    colour: Type.Optional(Type.String({ description: '#rrggbb, of the button.' })),
    embed: Type.Optional(embedSettings),
    texts: Type.Optional(
      Type.Record(Type.String(), translation, {
        description: 'The same by language, such as {"de": {"title": …, "labels": {…}}}.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type FormPage = Static<typeof formPage>

/** The page with its changes; an empty text, list or object removes a part. */
export function changePage(before: FormPage, changes: FormPage): FormPage {
  const all = Object.entries({ ...before, ...changes })
  return Object.fromEntries(all.filter(([, value]) => Object.keys(value).length > 0))
}
