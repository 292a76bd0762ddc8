/** The service's own mails and sign-in pages speak each language of the app. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailLanguage } from 'crier-server/accounts/businesses/mail-language.ts'
import { mailLanguageAmong } from 'crier-server/accounts/businesses/mail-language.ts'
import { invitationWords } from 'crier-server/accounts/members/invitation-words.ts'
import { passkeyMailWords } from 'crier-server/accounts/passkeys/notice-words.ts'
import { signInMailWords } from 'crier-server/accounts/sign-in/sign-in-mail-words.ts'
import { approvalWords, refusalWords } from 'crier-server/campaigns/approvals/mail-words.ts'
import { manyConsentsWords } from 'crier-server/contacts/consent/many-consents.ts'
import { appLanguages as serverLanguages } from 'crier-server/core/app-languages.ts'
import { guardedWords } from 'crier-server/forms/guard/guarded-mail-words.ts'
import { statusWords } from 'crier-server/http/operating/status-page.ts'
import { homePageWords } from 'crier-server/http/pages/account/home.ts'
import { invitationPageWords } from 'crier-server/http/pages/account/invitation-page-words.ts'
import { connectWords, setupWords } from 'crier-server/http/pages/auth/connect-words.ts'
import { secondStepWords } from 'crier-server/http/pages/auth/second-step-words.ts'
import { signInWords } from 'crier-server/http/pages/auth/sign-in-words.ts'
import { campaignPageWords } from 'crier-server/http/pages/campaigns/page-words.ts'
import { importWords } from 'crier-server/imports/mail-words.ts'
import { keysEndedWords } from 'crier-server/oauth/api-keys/keys-ended-words.ts'
import { answerWords } from 'crier-server/sender-domains/volume/answer-mail.ts'
import { noteWords } from 'crier-server/sequences/note-words.ts'
import { appLanguages } from '../support/app-texts.ts'

const business = { businessName: 'Brindlequay' }
const counts = {
  created: 2,
  updated: 1,
  unchanged: 0,
  refused: 3,
  stayed_unsubscribed: 1,
  without_evidence: 0,
  left_out: 2,
}
const expiresAt = new Date('2026-12-01T08:00:00Z')

/** Each mail, and the page on which a member signs in. */
const texts: Record<string, (language: MailLanguage) => object> = {
  invitation: (language) =>
    invitationWords(language, { ...business, role: 'editor', invitedBy: 'Ana', expiresAt }),
  signIn: (language) => signInMailWords(language, { connects: false, leadsTo: undefined }),
  connection: (language) => signInMailWords(language, { connects: true, leadsTo: 'a.example' }),
  approval: (language) =>
    approvalWords(
      language,
      { name: 'News', channel: 'email', recipients: 1_200, state: 'awaiting_approval' },
      business,
    ),
  refusal: (language) => refusalWords(language, { name: 'News', reason: 'Too early' }, business),
  form: (language) => guardedWords(language, { form: 'News', business: 'Brindlequay' }),
  imported: (language) =>
    importWords(language, {
      state: 'done',
      kind: 'contacts',
      fileName: 'people.csv',
      counts,
      fault: null,
    }),
  keys: (language) => keysEndedWords(language, { ...business, maker: 'Ana' }, ['Shop']),
  passkey: (language) =>
    passkeyMailWords(language, { event: 'added', name: 'Laptop', at: expiresAt }),
  note: (language) =>
    noteWords(language, {
      person: 'Ana',
      automation: 'Welcome',
      business: 'Brindlequay',
      note: null,
    }),
  volume: (language) =>
    answerWords(language, {
      domain: 'shop.example',
      emailsPerDay: 5_000,
      approved: 2_000,
      answer: null,
      beginsAtDay: 9,
      withdrawn: false,
    }),
  consents: (language) =>
    manyConsentsWords[language](
      { ...business, to: 'ana@example.com', clientName: 'Helper', connectedBy: 'Ana', people: 200 },
      {
        connections: 'https://crier.example/b/connections',
        members: 'https://crier.example/members',
      },
    ),
  status: (language) => statusWords[language],
  page: signInWords,
  secondStep: secondStepWords,
  invitations: invitationPageWords,
  consent: connectWords,
  setup: setupWords,
  home: homePageWords,
  campaign: campaignPageWords,
}

/** Words that are the same in two of the languages. */
const sameEverywhere = new Set<string>([
  'campaign.bySms',
  'note.subject',
  'secondStep.code',
  'status.title',
])

test('the app and the service speak the same languages', () => {
  assert.deepEqual(serverLanguages, appLanguages)
})

for (const [name, textsIn] of Object.entries(texts)) {
  test(`each text of ${name} is in each language of the app`, () => {
    const english = Object.entries(textsIn('en'))
    assert.ok(english.length >= 5, name)
    for (const tag of appLanguages.filter((other) => other !== 'en')) {
      const language = mailLanguageAmong([`${tag}-XX`])
      assert.equal(language, tag)
      const own = new Map(Object.entries(textsIn(language)))
      for (const [key, text] of english) {
        if (sameEverywhere.has(`${name}.${key}`)) continue
        assert.notDeepEqual(own.get(key), text, `${tag}: ${key}`)
      }
      if (tag !== 'fr') continue
      // The same punctuation as in the app: tests/architecture/texts.test.ts.
      const french = [...own.values()].filter((text) => typeof text === 'string').join('\n')
      assert.doesNotMatch(french, /[\p{L}]'[\p{L}]|[ \u00a0][;!?]|[ \u202f]:\s|« | »/u)
    }
  })
}
