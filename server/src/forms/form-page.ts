/** What a business decides about the hosted page of a form. */

import { type Static, Type } from '../lib/schema/schema.ts'

/** How the script of a form shows it on another site. */
export const embedLimits = {
  /** Nobody is interrupted sooner. */
  secondsBefore: { least: 5, most: 600, usual: 15 },
  scrollPercent: { least: 10, most: 95, usual: 50 },
  /** How long a form that was closed does not open by itself again. */
  quietDays: { least: 1, most: 365, usual: 30 },
  labelLength: 60,
} as const

const { secondsBefore, scrollPercent, quietDays, labelLength } = embedLimits

const embedSettings = Type.Object(
  {
    show: Type.Optional(
      Type.Enum(['inline', 'popup', 'bar', 'button'], {
        description:
          'inline: where the script stands (the default). popup: a dialog that opens by itself. bar: a line at the bottom. button: in the corner; bar and button open the dialog.',
      }),
    ),
    on: Type.Optional(
      Type.Enum(['time', 'scroll', 'leave'], {
        description:
          'When a popup opens: after a time (the default), when so much was scrolled, or when the pointer leaves the page, on desktops alone.',
      }),
    ),
    after_seconds: Type.Optional(
      Type.Integer({
        minimum: secondsBefore.least,
        maximum: secondsBefore.most,
        description: `Of a popup by time. Default ${secondsBefore.usual}.`,
      }),
    ),
    scroll_percent: Type.Optional(
      Type.Integer({
        minimum: scrollPercent.least,
        maximum: scrollPercent.most,
        description: `Of a popup by scrolling. Default ${scrollPercent.usual}.`,
      }),
    ),
    quiet_days: Type.Optional(
      Type.Integer({
        minimum: quietDays.least,
        maximum: quietDays.most,
        description: `How long a popup or bar that was closed stays away. Default ${quietDays.usual}.`,
      }),
    ),
    label: Type.Optional(
      Type.String({
        maxLength: labelLength,
        description: 'Of the button, and of that in the bar. Default: the label of the form’s own.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EmbedSettings = Static<typeof embedSettings>

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
