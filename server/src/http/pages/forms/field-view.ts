/** One field of a hosted form, with its label above and its error below. */
import type { RecipientWords } from '../../../core/recipient-words/words.ts'
import { highestRating } from '../../../forms/field-types.ts'
import { addressField, type FormField } from '../../../forms/form.ts'
import type { Problems } from '../../../forms/hosted/submit-hosted.ts'
import { countriesIn } from '../../../lib/text/countries.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { FormTexts } from './form-texts.ts'

export interface FieldContext {
  fields: readonly FormField[]
  texts: FormTexts
  words: RecipientWords['form']
  answers: Readonly<Record<string, string>>
  problems: Problems
}

export function fieldView(field: FormField, context: FieldContext): Html {
  const { key, type } = field
  const answer = answerTo(field, context)
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="${answer}">`
  if (type === 'consent' || type === 'boolean') return tickBox(field, context, answer)
  if (type === 'rating') return rating(field, context, answer)
  if (['radio', 'several-of', 'topics'].includes(type)) return choices(field, context, answer)
  return html`<div class="field"><label for="${idOf(field)}">${label(field, context)}</label>
${control(field, context, answer)}
${fault(field, context)}</div>`
}

export function idOf({ key }: FormField): string {
  return `f-${key}`
}

function answerTo({ key }: FormField, { answers }: FieldContext): string {
  return Object.hasOwn(answers, key) ? (answers[key] ?? '') : ''
}

function label(field: FormField, { texts, words }: FieldContext): Html {
  const mark = field.required && html` <span class="fine">(${words.required})</span>`
  return html`<span dir="auto">${texts.labelOf(field)}</span>${mark}`
}

function fault(field: FormField, { problems, words }: FieldContext): Html | undefined {
  const problem = problems.get(field.key)
  return problem && html`<p class="fault" id="${idOf(field)}-fault">${words[problem]}</p>`
}

/** Links the field to its error for screen readers. */
function state(field: FormField, { problems }: FieldContext): Html {
  const wrong =
    problems.has(field.key) && html` aria-invalid="true" aria-describedby="${idOf(field)}-fault"`
  return html`${field.required && html` required`}${wrong}`
}

function tickBox(field: FormField, context: FieldContext, answer: string): Html {
  const checked = answer !== '' && !/^(?:false|off|no|0)$/i.test(answer)
  return html`<div class="field"><label class="choice"><input type="checkbox" id="${idOf(field)}" name="${field.key}" value="true"${checked && html` checked`}${state(field, context)}>
<span>${label(field, context)}</span></label>
${fault(field, context)}</div>`
}

function choices(field: FormField, context: FieldContext, answer: string): Html {
  const { key, type, options = [] } = field
  const chosen = new Set(type === 'radio' ? [answer] : answer.split(',').map((part) => part.trim()))
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const lines = options.map((option, n) => {
    const id = n === 0 ? idOf(field) : `${idOf(field)}-${n}`
    const checked = chosen.has(option) && html` checked`
    const must = type === 'radio' && state(field, context)
    return html`<label class="choice"><input type="${kind}" id="${id}" name="${key}" value="${option}"${checked}${must}>
<span dir="auto">${context.texts.optionOf(field, option)}</span></label>`
  })
  return html`<fieldset class="field"><legend>${label(field, context)}</legend>
${lines}
${fault(field, context)}</fieldset>`
}

/** Ratings side by side, the worst first. */
function rating(field: FormField, context: FieldContext, answer: string): Html {
  const marks = Array.from({ length: highestRating }, (_, n) => String(n + 1))
  const lines = marks.map((mark, n) => {
    const id = n === 0 ? idOf(field) : `${idOf(field)}-${n}`
    const checked = mark === answer && html` checked`
    return html`<label class="choice"><input type="radio" id="${id}" name="${field.key}" value="${mark}"${checked}${state(field, context)}>
<span>${mark}</span></label>`
  })
  return html`<fieldset class="field"><legend>${label(field, context)} <span class="fine">(1–${highestRating})</span></legend>
<div class="marks">${lines}</div>
${fault(field, context)}</fieldset>`
}

/** The end tag of an option may be left out, which saves a list of all countries 2 kB. */
function countries(field: FormField, context: FieldContext, answer: string): Html {
  const list = countriesIn(context.texts.language).map(({ code, name }) => {
    const chosen = code === answer.toUpperCase() && html` selected`
    return html`<option value="${code}"${chosen}>${name}`
  })
  return html`<select id="${idOf(field)}" name="${field.key}" autocomplete="country"${state(field, context)}><option value="">${context.words.choose}${list}</select>`
}

function control(field: FormField, context: FieldContext, answer: string): Html {
  const { key, type, options = [] } = field
  const id = idOf(field)
  if (type === 'textarea') {
    return html`<textarea id="${id}" name="${key}" rows="4" dir="auto"${state(field, context)}>${answer}</textarea>`
  }
  if (type === 'select') {
    const list = options.map((option) => {
      const chosen = option === answer && html` selected`
      return html`<option value="${option}"${chosen}>${context.texts.optionOf(field, option)}`
    })
    return html`<select id="${id}" name="${key}"${state(field, context)}><option value="">${context.words.choose}${list}</select>`
  }
  if (type === 'country') return countries(field, context, answer)
  const kind = inputTypes[type] ?? 'text'
  const complete = autocompleteOf(field, context)
  return html`<input type="${kind}" id="${id}" name="${key}" value="${answer}"${complete && html` autocomplete="${complete}"`}${type === 'number' && html` inputmode="decimal"`}${kind === 'text' && html` dir="auto"`}${state(field, context)}>`
}

const inputTypes: Partial<Record<FormField['type'], string>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
  url: 'url',
}

/** Tokens of the HTML standard ("autofill"), by what the field is stored as or called. */
const autocompleteByKey: Readonly<Record<string, string>> = {
  name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  city: 'address-level2',
  postcode: 'postal-code',
  zip: 'postal-code',
  country: 'country',
  birthday: 'bday',
}

function autocompleteOf(field: FormField, { fields }: FieldContext): string | undefined {
  if (field === addressField(fields, 'email')) return 'email'
  if (field === addressField(fields, 'phone')) return 'tel'
  return Object.hasOwn(autocompleteByKey, field.key) ? autocompleteByKey[field.key] : undefined
}
