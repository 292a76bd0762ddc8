/** How a business puts a form in front of people: a link, a frame, or a plain HTML form. */
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Html, html } from '../../lib/text/html.ts'
import type { Form, FormField } from '../form.ts'
import { urlOf } from '../view.ts'

export const shareView = Type.Object({
  link: Type.String(),
  iframe: Type.String({ description: 'For pages of allowed_sites.' }),
  html: Type.String({ description: 'A form for any page, without script.' }),
})

export function shareOf(form: Form, appUrl: string): Static<typeof shareView> {
  const link = urlOf(form.id, appUrl)
  const frame = html`<iframe src="${link}/embed" title="${form.page.title ?? form.name}" width="100%" height="600" style="border:0"></iframe>`
  return { link, iframe: frame.toString(), html: plainForm(form, link).toString() }
}

function plainForm({ fields, page }: Form, action: string): Html {
  return html`<form method="post" action="${action}">
${fields.map((field) => html`${plainField(field)}\n`)}<p><button>${page.submit ?? 'Send'}</button></p>
</form>`
}

function plainField(field: FormField): Html {
  const { key, label, type } = field
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="">`
  if (type === 'consent' || type === 'boolean') {
    return html`<p><label><input type="checkbox" name="${key}" value="true"${required(field)}> ${label}</label></p>`
  }
  if (type === 'radio' || type === 'several-of') {
    return html`<fieldset><legend>${label}</legend>${choices(field)}</fieldset>`
  }
  return html`<p><label>${label}<br>${control(field)}</label></p>`
}

function choices(field: FormField): Html[] {
  const { key, type, options = [] } = field
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const must = type === 'radio' ? required(field) : undefined
  return options.map(
    (option) =>
      html`<label><input type="${kind}" name="${key}" value="${option}"${must}> ${option}</label>`,
  )
}

function control(field: FormField): Html {
  const { key, type, options = [] } = field
  if (type === 'textarea') return html`<textarea name="${key}"${required(field)}></textarea>`
  if (type === 'select') {
    const list = options.map((option) => html`<option>${option}</option>`)
    return html`<select name="${key}"${required(field)}><option value=""></option>${list}</select>`
  }
  return html`<input type="${inputTypes[type] ?? 'text'}" name="${key}"${required(field)}>`
}

const inputTypes: Partial<Record<FormField['type'], string>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
  url: 'url',
}

function required(field: FormField): Html | undefined {
  return field.required ? html` required` : undefined
}
