/** The page of a business's settings: a form for its owners, a list for other members. */
import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'
import { lacking } from './businesses-view.ts'

export interface SettingsShown {
  business_id: string
  name: string
  role: string
  postal_address: string | null
  sender: { name?: string; email: string } | null
  reply_to: string | null
  sms_sender: string | null
  sms_help: string | null
  time_zone: string
  language: string
  track_opens: boolean
  track_clicks: boolean
  deploy_limit: number | null
  two_people: boolean
  colour: string | null
  missing: readonly { what: string }[]
}

/** The fields of the form with the typed values. */
export type Typed = Record<string, string>

export interface Outcome {
  saved: boolean
  warnings: readonly string[]
  /** The error of a form that was refused. */
  fault?: { field: string | undefined; message: string; typed: Typed }
}

export function typedOf(shown: SettingsShown): Typed {
  const { sender, deploy_limit: limit } = shown
  return {
    name: shown.name,
    postal_address: shown.postal_address ?? '',
    sender_name: sender?.name ?? '',
    sender_email: sender?.email ?? '',
    reply_to: shown.reply_to ?? '',
    sms_sender: shown.sms_sender ?? '',
    sms_help: shown.sms_help ?? '',
    time_zone: shown.time_zone,
    language: shown.language,
    track_opens: shown.track_opens ? 'yes' : '',
    track_clicks: shown.track_clicks ? 'yes' : '',
    approval: limit === null ? 'never' : 'above',
    deploy_limit: `${limit ?? 1000}`,
    two_people: shown.two_people ? 'yes' : '',
    colour: shown.colour ?? '',
  }
}

export function settingsBody(
  shown: SettingsShown,
  { formKey, outcome }: { formKey: string; outcome?: Outcome | undefined },
): Html {
  const owns = shown.role === 'owner'
  return html`<h1>Settings of <bdi>${shown.name}</bdi></h1>
${outcome?.saved && html`<p class="done" role="status">Saved. It applies from now on.</p>`}
${outcome?.warnings.map((text) => html`<p class="warning">${text}</p>`)}
${lacking(shown.missing.map(({ what }) => what))}
${owns ? form(shown, formKey, outcome?.fault) : readable(shown)}
<p class="fine"><span class="mono">${shown.business_id}</span></p>`
}

interface FieldShown {
  name: string
  label: string
  help: string
  rows?: number
  required?: boolean
  autocomplete?: string
  inputmode?: string
}

function form(shown: SettingsShown, formKey: string, fault: Outcome['fault']): Html {
  const typed = fault?.typed ?? typedOf(shown)
  const field = (entry: FieldShown) =>
    fieldOf(entry, typed[entry.name] ?? '', faultAt(entry.name, fault))
  const ticked = (name: string) => typed[name] === 'yes' && html` checked`
  return html`<form method="post" action="/account/businesses/${shown.business_id}" class="card">
${keyInput(formKey)}
${fault && html`<p class="warning" role="alert">Nothing was changed. ${fault.message}</p>`}
<h2>The business</h2>
${field({ name: 'name', label: 'Name', help: 'People see it in messages and on pages.', required: true, autocomplete: 'organization' })}
${field({ name: 'postal_address', label: 'Postal address', help: 'It stands at the end of every marketing email, as the law asks. One line for each part.', rows: 4, autocomplete: 'street-address' })}
${field({ name: 'time_zone', label: 'Time zone', help: 'Such as Europe/Paris. Dates and times are meant in it.', required: true })}
${field({ name: 'language', label: 'Language', help: 'A tag such as en or pt-BR.', required: true })}
${field({ name: 'colour', label: 'Colour', help: 'Of buttons in generated mail, such as #4338ca. Empty for the usual one.' })}
<h2>Email</h2>
${field({ name: 'sender_name', label: 'Name of the sender', help: 'What people see beside the address.' })}
${field({ name: 'sender_email', label: 'Address of the sender', help: 'At a domain of yours. Empty for the first domain that is verified.', inputmode: 'email' })}
${field({ name: 'reply_to', label: 'Address for replies', help: 'Empty where replies go to the sender.', inputmode: 'email' })}
<ul class="scopes">
<li><label><input type="checkbox" name="track_opens" value="yes"${ticked('track_opens')}><span>See who opens a mail</span></label></li>
<li><label><input type="checkbox" name="track_clicks" value="yes"${ticked('track_clicks')}><span>See who follows a link</span></label></li>
</ul>
<h2>Text messages</h2>
${field({ name: 'sms_sender', label: 'Sender of texts', help: 'A number such as +33612345678, a short code, or a name nobody can answer.' })}
${field({ name: 'sms_help', label: 'Answer to HELP', help: 'How people reach you. One line of at most 120 characters.' })}
<h2>What apps may do by themselves</h2>
<ul class="scopes">
<li><label><input type="radio" name="approval" value="above"${typed['approval'] !== 'never' && html` checked`}><span>A person approves campaigns above the number below</span></label></li>
<li><label><input type="radio" name="approval" value="never"${typed['approval'] === 'never' && html` checked`}><span class="careful">Apps send to any number of people without asking</span></label></li>
</ul>
${field({ name: 'deploy_limit', label: 'Recipients without approval', help: '0 means that a person approves every campaign.', inputmode: 'numeric' })}
<ul class="scopes">
<li><label><input type="checkbox" name="two_people" value="yes"${ticked('two_people')}><span>Two people: whoever deploys a campaign does not approve it</span></label></li>
</ul>
<div class="actions"><button type="submit">Save</button></div>
</form>`
}

/** The page has two fields for the operation's single field `sender`. */
function faultAt(name: string, fault: Outcome['fault']): string | undefined {
  if (!fault?.field) return undefined
  const at = {
    sender: 'sender_email',
    'sender.name': 'sender_name',
    'sender.email': 'sender_email',
  }
  const field = (at as Record<string, string>)[fault.field] ?? fault.field
  return field === name ? fault.message : undefined
}

function fieldOf(field: FieldShown, value: string, fault: string | undefined): Html {
  const { name, label, help, rows, required, autocomplete = 'off', inputmode } = field
  const about = `${name}-help`
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"${required && html` required`}${inputmode !== undefined && html` inputmode="${inputmode}"`}${fault !== undefined && html` aria-invalid="true"`} aria-describedby="${fault === undefined ? about : `${name}-fault ${about}`}"`
  return html`<div class="field"><label for="${name}">${label}</label>
${rows === undefined ? html`<input ${attributes} value="${value}">` : html`<textarea ${attributes} rows="${rows}">${value}</textarea>`}
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
<p class="fine" id="${about}">${help}</p></div>`
}

function readable(shown: SettingsShown): Html {
  const { sender, deploy_limit: limit } = shown
  const from = sender && (sender.name ? `${sender.name} <${sender.email}>` : sender.email)
  const pairs: [string, string | null][] = [
    ['Postal address', shown.postal_address],
    ['Sender', from],
    ['Address for replies', shown.reply_to],
    ['Sender of texts', shown.sms_sender],
    ['Time zone', shown.time_zone],
    ['Language', shown.language],
    ['Recipients without approval', limit === null ? 'any number' : `${limit}`],
    ['Two people for a campaign', shown.two_people ? 'yes' : 'no'],
  ]
  return html`<p class="lead">Only owners change these; you are ${shown.role}.</p>
<dl class="card">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? 'none'}</dd>`)}</dl>`
}
