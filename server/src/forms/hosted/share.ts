/** The ways to put a form in front of people: a link, a frame, or a plain HTML form. */
import { type Static, Type } from '../../lib/schema/schema.ts'
import { countriesIn } from '../../lib/text/countries.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { highestRating } from '../field-types.ts'
import type { Form, FormField } from '../form.ts'
import { type TopicNames, withoutArchived } from '../topics/offered-topics.ts'
import { urlOf } from '../view.ts'

export const shareView = Type.Object({
  link: Type.String(),
  iframe: Type.String(),
  html: Type.String(),
})

export function shareOf(
  form: Form,
  { base, topicNames }: { base: string; topicNames: TopicNames },
): Static<typeof shareView> {
  const link = urlOf(form.id, base)
  const frame = html`<iframe src="${link}/embed" title="${form.page.title ?? form.name}" width="100%" height="600" style="border:0"></iframe>`
  return { link, iframe: frame.toString(), html: plainForm(form, link, topicNames).toString() }
}

function plainForm({ fields, page }: Form, action: string, topicNames: TopicNames): Html {
  return html`<form method="post" action="${action}">
${withoutArchived(fields, topicNames).map((field) => html`${plainField(field, topicNames)}\n`)}<p><button>${page.submit ?? 'Send'}</button></p>
</form>`
}

function plainField(field: FormField, topicNames: TopicNames): Html {
  const { key, label, type } = field
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="">`
  if (type === 'consent' || type === 'boolean') {
    return html`<p><label><input type="checkbox" name="${key}" value="true"${required(field)}> ${label}</label></p>`
  }
  if (type === 'rating') {
    return html`<fieldset><legend>${label}</legend>${choices({ ...field, type: 'radio', options: marks })}</fieldset>`
  }
  if (type === 'topics') {
    return html`<fieldset><legend>${label}</legend>${choices(field, topicNames)}</fieldset>`
  }
  if (type === 'radio' || type === 'several-of') {
    return html`<fieldset><legend>${label}</legend>${choices(field)}</fieldset>`
  }
  return html`<p><label>${label}<br>${control(field)}</label></p>`
}

function choices(field: FormField, names?: TopicNames): Html[] {
  const { key, type, options = [] } = field
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const must = type === 'radio' ? required(field) : undefined
  return options.map(
    (option) =>
      html`<label><input type="${kind}" name="${key}" value="${option}"${must}> ${names?.get(option) ?? option}</label>`,
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
