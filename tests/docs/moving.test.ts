/** The guides for moving from another service describe its columns correctly. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { newBusiness } from '../support/businesses/business.ts'
import { contactsOf } from '../support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { ManualClock } from '../support/time/manual-clock.ts'

let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  desk = await importDesk({ db: database.db, clock: new ManualClock() })
})
after(async () => {
  await desk.close()
  await database.drop()
})

const consent = {
  email: { source: 'sign-up page at example.com', text: 'Send me the newsletter.' },
}

interface Move {
  guide: string
  exported_by: string
  /** A header and rows, as the other service exports them. */
  file: string
  becomes: Record<string, string | null>
  /** The expected people afterwards. */
  people: { email: string; name?: string; phone?: string; tags?: string[]; consent: string }[]
}

const moves: Move[] = [
  {
    guide: 'move-from-mailchimp.md',
    exported_by: 'mailchimp',
    file: [
      'Email Address,First Name,Last Name,Plan,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,TIMEZONE,CC,REGION,LEID,EUID,TAGS',
      'ana@example.com,Ana,Roy,pro,4,2024-03-05 10:20:30,192.0.2.7,2024-03-05 10:25:41,192.0.2.8,Europe/Zurich,CH,ZH,1,a1,"""News"",""Fair"""',
    ].join('\n'),
    becomes: {
      'Email Address': 'email',
      'First Name': 'first_name',
      'Last Name': 'last_name',
      OPTIN_TIME: 'consent.email.at',
      OPTIN_IP: 'consent.email.ip',
      CONFIRM_TIME: 'consent.email.confirmed_at',
      CONFIRM_IP: 'consent.email.confirmed_ip',
      TAGS: 'tags',
      CC: 'attributes.country',
      REGION: 'attributes.region',
      TIMEZONE: 'attributes.timezone',
      MEMBER_RATING: null,
      LEID: null,
      EUID: null,
    },
    people: [
      { email: 'ana@example.com', name: 'Ana Roy', tags: ['Fair', 'News'], consent: 'subscribed' },
    ],
  },
  {
    guide: 'move-from-mailchimp.md',
    exported_by: 'mailchimp',
    file: [
      'Email Address,MEMBER_RATING,LEID,EUID,UNSUB_TIME,CLEAN_TIME',
      'bo@example.com,2,1,a1,2024-05-01 08:00:00,',
      'cy@example.com,2,2,a2,,2024-06-01 08:00:00',
    ].join('\n'),
    becomes: { UNSUB_TIME: 'consent.email.left_at' },
    people: [{ email: 'bo@example.com', consent: 'unsubscribed' }],
  },
  {
    guide: 'move-from-listmonk.md',
    exported_by: 'listmonk',
    file: [
      'uuid,email,name,attributes,status,created_at,updated_at',
      'u1,ana@example.com,Ana Roy,"{""plan"":""pro""}",enabled,2024-01-01,2024-01-01',
      'u2,bo@example.com,Bo,{},disabled,2024-01-01,2024-01-01',
      'u3,cy@example.com,Cy,{},blocklisted,2024-01-01,2024-01-01',
    ].join('\n'),
    becomes: {
      email: 'email',
      name: 'name',
      attributes: 'attributes',
      status: 'consent.email',
      uuid: null,
      created_at: null,
      updated_at: null,
    },
    people: [
      { email: 'ana@example.com', name: 'Ana Roy', consent: 'subscribed' },
      { email: 'bo@example.com', consent: 'unsubscribed' },
      { email: 'cy@example.com', consent: 'unsubscribed' },
    ],
  },
  {
    guide: 'move-from-brevo.md',
    exported_by: 'brevo',
    file: [
      'CONTACT ID,EMAIL,FIRSTNAME,LASTNAME,SMS,ADDED_TIME,MODIFIED_TIME,EMAIL_BLOCKLISTED,SMS_BLOCKLISTED',
      '1,ana@example.com,Ana,Roy,41791234567,2024-01-01,2024-01-01,false,false',
      '2,bo@example.com,Bo,,,2024-01-01,2024-01-01,true,false',
    ].join('\n'),
    becomes: {
      EMAIL: 'email',
      FIRSTNAME: 'first_name',
      LASTNAME: 'last_name',
      SMS: 'phone',
      EMAIL_BLOCKLISTED: 'consent.email.left_at',
      SMS_BLOCKLISTED: 'consent.sms.left_at',
      'CONTACT ID': null,
      ADDED_TIME: null,
      MODIFIED_TIME: null,
    },
    people: [
      { email: 'ana@example.com', phone: '+41791234567', consent: 'subscribed' },
      { email: 'bo@example.com', consent: 'unsubscribed' },
    ],
  },
]

for (const [n, { guide, exported_by, file, becomes, people }] of moves.entries()) {
  test(`${guide} describes correctly where each column of file ${n + 1} goes`, async () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../docs/guides', guide), 'utf8')
    const id = await newBusiness(database.db)
    const business = desk.in(id)
    const found = await business.bring(file)
    assert.equal(found.text?.exported_by, exported_by)
    const columns = new Map(found.untrusted?.columns.map((entry) => [entry.column, entry.becomes]))
    for (const [column, target] of Object.entries(becomes)) {
      assert.equal(columns.get(column), target, column)
      assert.ok(text.includes(`\`${column}\``) || text.includes(`, ${column},`), column)
    }
    await business.confirm(found.import_id, { consent })
    await business.run('run', found.import_id)
    assert.equal((await business.get(found.import_id)).result?.['refused'], 0)
    const stored = await contactsOf(database.db, id)
    for (const { consent: status, ...expected } of people) {
      const one = stored.find(({ email }) => email === expected.email)
      assert.ok(one, expected.email)
      assert.equal(one.consent.email, status, expected.email)
      assert.deepEqual({ ...one, ...expected, consent: null }, { ...one, consent: null })
    }
  })
}
