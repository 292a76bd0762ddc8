/** 200 people whose addresses and numbers stand in every field that strangers and owners can fill. */
import { systemClock } from 'crier-server/lib/time/clock.ts'
import type { Belongings } from '../operations/support/belongings.ts'
import type { Testbed } from '../operations/support/testbed.ts'
import { placeEvents } from '../support/businesses/fan-out.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'
import { keptReply } from '../support/sms/replies.ts'

export interface Planted {
  /** Letters that occur nowhere else: the address before its @. */
  local: string
  /** The last eight digits of the number, which occur nowhere else. */
  digits: string
  email: string
  phone: string
}

export const planted: readonly Planted[] = Array.from({ length: 200 }, (_, i) => {
  const letters = [i % 26, (i * 7) % 26, Math.floor(i / 26), 19, 25].map((n) =>
    String.fromCharCode(97 + n),
  )
  const local = `k${letters.join('')}vq`
  const digits = String(70_400_000 + i * 37)
  return { local, digits, email: `${local}@hidden.example`, phone: `+417${digits}` }
})

const parts = new RegExp(planted.flatMap(({ local, digits }) => [local, digits]).join('|'), 'i')

/** Whether one of them, or what tells whose it is, stands in a text, however it is spelled. */
export const hasPlanted = (text: string): boolean =>
  parts.test(text) || parts.test(text.replace(/[\s()./\u2010-\u2015-]/gu, ''))

/** The spellings of an address and a number that people type. */
const typed = ({ email, phone, local, digits }: Planted) => [
  email.toUpperCase(),
  `${local} @ hidden.example`,
  `${local}＠hidden.example`,
  `"${local}"@hidden.example`,
  `mailto:${email}?subject=${email}`,
  `https://shop.example/?to=${encodeURIComponent(email)}&tel=${encodeURIComponent(phone)}`,
  `${local}&#64;hidden.example`,
  `tel:${phone}`,
  `07${digits}`,
  `00417${digits}`,
  `+41 (0)7${digits.replace(/(..)/g, '$1\u00a0')}`,
  `+41‑7${digits.replace(/(..)/g, '$1‑')}`.replace(/‑$/, ''),
  `417${digits}`,
]

/** Puts them into the business with these belongings, and returns the contact of one of them. */
export async function plant(
  testbed: Testbed,
  own: Belongings,
  owner: EntryCaller,
): Promise<Belongings> {
  const { form_id, word } = own
  const contacts = planted.map((each, i) => ({
    email: each.email,
    phone: each.phone,
    external_id: each.email,
    // Some people type their address where a name is asked for.
    name: i % 2 === 0 ? `Write to ${each.email}` : each.email,
    first_name: each.email,
    last_name: each.phone,
    attributes: {
      note: typed(each)[i % typed(each).length],
      mail: each.email,
      number: Number(`417${each.digits}`),
      ...(i < 20 && { [each.email]: i }),
    },
    tags: [word],
    consent: { email: { status: 'subscribed', source: each.email, text: each.phone } },
  }))
  await owner.get('contact.import', { contacts })
  for (const each of planted.slice(0, 5)) {
    const { email, phone } = each
    const source_url = `https://shop.example/?to=${encodeURIComponent(email)}`
    for (const message of [phone, ...typed(each)]) {
      await owner.get('form.submit', { form_id, fields: { email, message }, source_url })
    }
    const contact = { email }
    const properties = { mail: email, phone, spelled: typed(each) }
    await owner.get('contact.track', { events: [{ contact, event: word, properties }] })
    await owner.get('contact.suppress', { phone })
    const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', contact)
    for (const text of [`Prefers ${email}, not ${phone}`, ...typed(each)]) {
      await owner.get('note.add', { contact_id, text })
    }
    const mail = { contact_id, allow_duplicate: true, metadata: { mail: email }, tags: [email] }
    await owner.get('email.send', { ...mail, subject: `For ${email}`, text: phone })
    await owner.get('email.send', {
      ...mail,
      subject: 'For {{ contact.email | split: "@" | first }}',
      html: '<p>{{ contact.email | replace: "@", " at " }}</p><a href="https://shop.example/{{ contact.phone | slice: 4, 8 }}">Shop</a>',
      variables: {},
    })
    const emails = [{ contact_id, subject: `Dear ${email}`, text: typed(each).join('\n') }]
    await owner.get('message.propose', { emails, kind: 'transactional' })
    await keptReply(testbed.db, own.id, typed(each).join(' '), phone)
    await owner.get('import.create', {
      file_name: `${email}.csv`,
      csv: `email,name\n${email},${phone}\nno address,${email}\n`,
    })
  }
  const [first] = planted as [Planted]
  const { email, phone } = first
  await owner.get('segment.save', {
    name: `About ${email}`,
    filter: { field: 'email', op: 'is', value: email },
  })
  await owner.get('template.save', {
    name: `For ${email}`,
    subject: phone,
    html: `<p>${email}</p>`,
  })
  await owner.get('webhook.save', {
    url: `https://1.1.1.1/?to=${email}`,
    events: ['usage.threshold'],
    description: `For ${phone}`,
  })
  await owner.get('campaign.generate', {
    channel: 'email',
    name: `For ${email}`,
    content: { subject: phone, html: `<p>Ask ${email}</p>` },
  })
  await placeEvents({ db: testbed.db, clock: systemClock })
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', { email })
  return { ...own, contact_id }
}
