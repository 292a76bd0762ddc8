import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyProfile, guessTargets } from './columns.ts'
import { findLayout } from './layout.ts'
import { readRows } from './reader.ts'

const guess = (...columns: string[]) => {
  const profile = { ...emptyProfile(), filled: 3 }
  const profiles = columns.map(() => profile)
  return guessTargets(columns, profiles, null)
}

test('columns with the common names of other languages get the same targets as the English ones', () => {
  for (const columns of [
    ['Email', 'First Name', 'Last Name', 'Tags'],
    ['E-Mail-Adresse', 'Vorname', 'Nachname', 'Schlagwörter'],
    ['Adresse e-mail', 'Prénom', 'Nom de famille', 'Étiquettes'],
    ['Correo electrónico', 'Nombre', 'Apellidos', 'Etiquetas'],
    ['Adres e-mail', 'Imię', 'Nazwisko', 'tags'],
  ]) {
    assert.deepEqual(guess(...columns), ['email', 'first_name', 'last_name', 'tags'], columns[0])
  }
})

test('a second column of one meaning, and a name in no list, become fields of their own', () => {
  assert.deepEqual(guess('Vorname', 'First name', 'constructor', 'Ort'), [
    'first_name',
    'attributes.first_name',
    'attributes.constructor',
    'attributes.ort',
  ])
})

/** What each column of the file becomes, and the people in its rows. */
function read(file: string) {
  const bytes = Buffer.from(file)
  const beginning = { bytes, encoding: 'utf-8', markLength: 0, isWhole: true } as const
  const found = findLayout({ ...beginning, kind: 'contacts' })
  assert.ok('layout' in found, JSON.stringify(found))
  const plan = {
    ...found.layout,
    kind: 'contacts' as const,
    targets: found.targets,
    tags: [],
    mode: 'update' as const,
    blanksErase: false,
    consent: {},
    fileName: 'people.csv',
  }
  const rest = bytes.subarray(found.layout.start)
  const how = { addressesAlone: false, withProfiles: false, withCells: 0, withDoubtful: 0 }
  const { rows } = readRows({ ...how, bytes: rest, isLast: true, plan })
  return { targets: found.targets, people: rows.map(({ person, fault }) => person ?? fault) }
}

test('a column of nothing but the states of a list is the consent to email, whatever its heading', () => {
  const file = (...words: string[]) =>
    `E-Mail-Adr.,Stand\n${words.map((word, i) => `pat${i}@example.com,${word}`).join('\n')}\n`
  for (const words of [
    ['Abonniert', 'Abgemeldet', 'Bereinigt'],
    ['subscribed', 'unsubscribed'],
    ['Abonné', 'Désabonné'],
  ]) {
    assert.deepEqual(read(file(...words)).targets, ['email', 'consent.email'], words[0])
  }
  for (const words of [
    ['ja', 'nein'],
    ['confirmed', 'deleted'],
    ['Angemeldet', 'Abgemeldet'],
    ['Abonniert', 'seit Mai'],
  ]) {
    const [, target] = read(file(...words)).targets
    assert.ok(target?.startsWith('attributes.stand'), words[0])
  }
})

test('numbers without a country code and words for a language become attributes, however the heading is spelled', () => {
  for (const heading of ['phone', 'Phone', 'PHONE', 'mobile', 'Telefon']) {
    const file = `email,${heading}\npat1@example.com,06 12 34 56 78\npat2@example.com,n/a\n`
    const { people } = read(file)
    const numbers = people.map((person) => person && 'attributes' in person && person.attributes)
    const key = heading.toLowerCase()
    assert.deepEqual(numbers, [{ [key]: '06 12 34 56 78' }, { [key]: 'n/a' }], heading)
  }
  const { people } = read('email,language\npat1@example.com,English\npat2@example.com,German\n')
  assert.deepEqual(people, [
    { email: 'pat1@example.com', attributes: { language: 'English' } },
    { email: 'pat2@example.com', attributes: { language: 'German' } },
  ])
})

test('an export of Crier is read although a spreadsheet took the plus from its numbers', () => {
  const { people } = read('email,phone,consent.email\npat1@example.com,33612345678,\n')
  assert.deepEqual(people, [{ email: 'pat1@example.com', phone: '+33612345678' }])
})

test('languages with an underscore, blank rows, text formulas, brackets and the headings of Google are read', () => {
  assert.deepEqual(read('email,locale\np@example.com,pt_BR\nq@example.com,zh_Hans\n').people, [
    { email: 'p@example.com', language: 'pt-BR' },
    { email: 'q@example.com', language: 'zh-Hans' },
  ])
  const zip = { email: 'p@example.com', name: 'Ana', attributes: { zip: '01' } }
  assert.deepEqual(read(',,\nemail,name,zip\n, ,\np@example.com,Ana,01\n,,\n,,\n').people, [zip])
  assert.deepEqual(read('email,code\np@example.com,"=""00123"""\n').people, [
    { email: 'p@example.com', attributes: { code: '00123' } },
  ])
  assert.deepEqual(read('email,code\np@example.com,="00123"\n').people, [
    { email: 'p@example.com', attributes: { code: '00123' } },
  ])
  const ana = { email: 'p@example.com', name: 'Ana' }
  assert.deepEqual(read('[email],[name]\np@example.com,Ana\n').people, [ana])
  assert.deepEqual(
    read('Given Name,Family Name,E-mail 1 - Value\nAna,Lima,p@example.com\n').people,
    [{ email: 'p@example.com', first_name: 'Ana', last_name: 'Lima' }],
  )
})

test('JSON is still no CSV file', () => {
  for (const file of ['[{"a":1}]', '{"a":1}', '["a"]', '[]', ' [ [1] ]', '{ }']) {
    const beginning = { encoding: 'utf-8', markLength: 0, isWhole: true, kind: 'contacts' } as const
    assert.ok('unreadable' in findLayout({ ...beginning, bytes: Buffer.from(file) }), file)
  }
})
