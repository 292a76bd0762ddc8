/** A form while a person edits it. */
import type { api } from '../../api/client.ts'

export type Form = Awaited<ReturnType<typeof api.form.get>>
export type FormField = Form['fields'][number]

export interface DraftField extends FormField {
  /** For React, and for moving the field. */
  id: number
  /** The key follows the label as long as no answer is stored under it. */
  isNew?: boolean
}

export const pageTexts = ['title', 'intro', 'submit', 'thanks'] as const

export interface FormDraft {
  name: string
  fields: DraftField[]
  page: Record<(typeof pageTexts)[number] | 'redirect_url' | 'colour' | 'allowed_sites', string>
  tags: string
  double_opt_in: boolean
}

export const fieldTypes = [
  'text',
  'email',
  'phone',
  'textarea',
  'number',
  'date',
  'select',
  'radio',
  'several-of',
  'country',
  'rating',
  'topics',
  'boolean',
  'consent',
  'url',
  'hidden',
] as const satisfies readonly FormField['type'][]

export const hasOptions = (type: FormField['type']) =>
  type === 'select' || type === 'radio' || type === 'several-of' || type === 'topics'

export function draftOf(form: Form): FormDraft {
  const { title, intro, submit, thanks, redirect_url, colour, allowed_sites } = form.page
  return {
    name: form.name,
    fields: form.fields.map((field, id) => ({ ...field, id })),
    page: {
      title: title ?? '',
      intro: intro ?? '',
      submit: submit ?? '',
      thanks: thanks ?? '',
      redirect_url: redirect_url ?? '',
      colour: colour ?? '',
      allowed_sites: allowed_sites?.join('\n') ?? '',
    },
    tags: form.tags.join(', '),
    double_opt_in: form.double_opt_in,
  }
}

/** What stands on lines of its own, without empty ones. */
export const linesOf = (text: string) => listOf(text, '\n')

const listOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((entry) => entry !== '')

/** The arguments of `form.save` for the changed parts. */
export function argumentsOf({ name, fields, page, tags, double_opt_in }: Partial<FormDraft>) {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(fields && { fields: fields.map(({ id: _id, isNew: _isNew, ...field }) => field) }),
    ...(page && { page: { ...page, allowed_sites: linesOf(page.allowed_sites) } }),
    ...(tags !== undefined && { tags: listOf(tags, ',') }),
    ...(double_opt_in !== undefined && { double_opt_in }),
  }
}

/** Whether people give an email address here and agree to nothing. */
export function subscribesNobody({ fields }: Pick<FormDraft, 'fields'>): boolean {
  const asks = fields.some(({ type }) => type === 'email')
  const isConsent = ({ type, channel }: FormField) =>
    type === 'consent' && (channel === undefined || channel === 'email')
  return asks && !fields.some(isConsent)
}

export function newField(draft: FormDraft, type: FormField['type'], label: string): DraftField {
  return {
    id: 1 + Math.max(-1, ...draft.fields.map(({ id }) => id)),
    key: keyOf(label, draft.fields),
    label,
    type,
    isNew: true,
    ...(hasOptions(type) && { options: ['A', 'B'] }),
  }
}

/** Answers with which the form can be submitted by a call. */
export const exampleOf = ({ fields }: Pick<Form, 'fields'>): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ key, type, options }) => [key, options?.[0] ?? examples[type] ?? 'Ana']),
  )

const examples: Partial<Record<FormField['type'], string>> = {
  email: 'ana@example.com',
  phone: '+33 6 12 34 56 78',
  consent: 'true',
  boolean: 'true',
  number: '1',
  rating: '5',
  date: '2026-11-20',
  country: 'FR',
  url: 'https://example.com/',
}

/** The keys of text fields that fill in how the contact is called. */
export const nameKeys = ['name', 'first_name', 'last_name'] as const

/** Labels, in lower case, by which somebody asks for these. */
const filledBy: ReadonlyMap<string, (typeof nameKeys)[number]> = new Map([
  ['given name', 'first_name'],
  ['vorname', 'first_name'],
  ['prénom', 'first_name'],
  ['family name', 'last_name'],
  ['surname', 'last_name'],
  ['nachname', 'last_name'],
  ['nom de famille', 'last_name'],
])

/** A key that is derived from the label and not used by another field. */
export function keyOf(label: string, others: readonly FormField[]): string {
  const taken = new Set(others.map(({ key }) => key))
  const filled = filledBy.get(label.trim().toLowerCase())
  if (filled !== undefined && !taken.has(filled)) return filled
  const plain = label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '_')
    .slice(0, 40)
  const base = /^[a-z]/.test(plain) ? plain : `field_${plain}`.slice(0, 40)
  if (!taken.has(base)) return base
  for (let n = 2; n <= others.length + 2; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`
  return base
}

/** The list with one item moved to another position. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const one = list[from]
  if (one === undefined || to < 0 || to >= list.length) return [...list]
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, one)
}
