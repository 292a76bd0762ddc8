/** The ways to put a form in front of people: a link, a script, a frame, or a plain HTML form. */

import { formatId } from '../core/ids.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { countriesIn } from '../lib/text/countries.ts'
import { type Html, html } from '../lib/text/html.ts'
import { highestRating } from './answers.ts'
import { type Form, type FormField, type OfferedTopics, urlOf, withoutArchived } from './form.ts'

export const shareView = Type.Object({
  link: Type.String(),
  script: Type.String({ description: 'One script tag; page.embed says how it shows the form.' }),
  iframe: Type.String(),
  qr: Type.String({ description: 'The link as a QR code: an SVG; qr.png in its place is a PNG.' }),
  html: Type.String(),
})

/** What the ways need of a form. */
type SharedForm = Pick<Form, 'id' | 'name' | 'fields' | 'page'>

export function shareOf(
  form: SharedForm,
  { base, offeredTopics }: { base: string; offeredTopics: OfferedTopics },
): Static<typeof shareView> {
  const link = urlOf(form.id, base)
  const frame = html`<iframe src="${link}/embed" title="${form.page.title ?? form.name}" width="100%" height="600" style="border:0"></iframe>`
  return {
    link,
    qr: `${link}/qr.svg`,
    script: scriptTag(form, link).toString(),
    iframe: frame.toString(),
    html: plainForm(form, link, offeredTopics).toString(),
  }
}

/** An inline form takes its place before it is loaded, so that the rest of the page stays still. */
function scriptTag({ id, fields, page }: SharedForm, link: string): Html {
  const tag = html`<script src="${link}/embed.js" async></script>`
  if ((page.embed?.show ?? 'inline') !== 'inline') return tag
  const height = expectedHeight(fields, page.intro)
  return html`<div data-crier-form="${formatId('form', id)}" style="min-height:${height}px"></div>
${tag}`
}

/** Pixels that a form of these fields needs at the width of a dialog. */
export function expectedHeight(fields: readonly FormField[], intro = ''): number {
  const heights: Partial<Record<FormField['type'], number>> = {
    hidden: 0,
    textarea: 130,
    consent: 56,
    boolean: 40,
  }
  const ofFields = fields.map(({ type, options = [] }) =>
    ['radio', 'several-of', 'topics'].includes(type)
      ? 40 + 32 * options.length
      : (heights[type] ?? 76),
  )
  const ofIntro = intro === '' ? 0 : 16 + 21 * Math.ceil(intro.length / 60)
  return 210 + ofIntro + ofFields.reduce((sum, height) => sum + height, 0)
}

function plainForm(
  { fields, page }: SharedForm,
  action: string,
  offeredTopics: OfferedTopics,
): Html {
  return html`<form method="post" action="${action}">
${withoutArchived(fields, offeredTopics).map((field) => html`${plainField(field, offeredTopics)}\n`)}<p><button>${page.submit ?? 'Send'}</button></p>
</form>`
}

function plainField(field: FormField, offeredTopics: OfferedTopics): Html {
  const { key, label, type } = field
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="">`
  if (type === 'consent' || type === 'boolean') {
    return html`<p><label><input type="checkbox" name="${key}" value="true"${required(field)}> ${label}</label></p>`
  }
  if (type === 'rating') {
    return html`<fieldset><legend>${label}</legend>${choices({ ...field, type: 'radio', options: marks })}</fieldset>`
  }
  if (type === 'topics') {
    return html`<fieldset><legend>${label}</legend>${choices(field, offeredTopics)}</fieldset>`
  }
  if (type === 'radio' || type === 'several-of') {
    return html`<fieldset><legend>${label}</legend>${choices(field)}</fieldset>`
  }
  return html`<p><label>${label}<br>${control(field)}</label></p>`
}

function choices(field: FormField, topics?: OfferedTopics): Html[] {
  const { key, type, options = [] } = field
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const must = type === 'radio' ? required(field) : undefined
  return options.map(
    (option) =>
      html`<label><input type="${kind}" name="${key}" value="${option}"${must}> ${topics?.get(option)?.name ?? option}</label>`,
  )
}

function control(field: FormField): Html {
  const { key, type, options = [] } = field
  if (type === 'textarea') return html`<textarea name="${key}"${required(field)}></textarea>`
  if (type === 'select') {
    const list = options.map((option) => html`<option>${option}</option>`)
    return html`<select name="${key}"${required(field)}><option value=""></option>${list}</select>`
  }
  if (type === 'country') {
    const list = countriesIn('en').map(
      ({ code, name }) => html`<option value="${code}">${name}</option>`,
    )
    return html`<select name="${key}" autocomplete="country"${required(field)}><option value=""></option>${list}</select>`
  }
  return html`<input type="${inputTypes[type] ?? 'text'}" name="${key}"${required(field)}>`
}

/** One mark for each value of a rating. */
const marks = Array.from({ length: highestRating }, (_, n) => String(n + 1))

const inputTypes: Partial<Record<FormField['type'], string>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
  url: 'url',
}

function required(field: FormField): Html | undefined {
  return field.required ? html` required` : undefined
}
