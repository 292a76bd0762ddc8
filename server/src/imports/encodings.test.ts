/** Files in older encodings, which are a guess until somebody has looked at their letters. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { importConfirm } from './confirm.ts'
import { olderEncodings } from './csv.ts'

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

/** The text in an encoding that Node only decodes: a character is the bytes that it is decoded from. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding)
  const bytesOf = new Map<string, number[]>()
  for (let first = 0; first < 256; first++) {
    const alone = decoder.decode(Uint8Array.of(first))
    if (alone.length === 1 && alone !== '\ufffd') bytesOf.set(alone, [first])
  }
  for (let first = 0x81; first < 0xff; first++) {
    for (let second = 0x40; second < 0xff; second++) {
      const pair = decoder.decode(Uint8Array.of(first, second))
      if (pair.length === 1 && !bytesOf.has(pair)) bytesOf.set(pair, [first, second])
    }
  }
  const bytes = Array.from(text).flatMap((character) => {
    const found = bytesOf.get(character)
    assert.ok(found, `${character} is not in ${encoding}`)
    return found
  })
  return Buffer.from(bytes)
}

const names: Record<(typeof olderEncodings)[number], [name: string, heading: string]> = {
  'windows-1252': ['Zoë Müller', 'Größe'],
  'windows-1250': ['Łukasz Dvořák', 'Město'],
  'windows-1251': ['Юлия Ёлкина', 'Город'],
  'windows-1253': ['Γιώργος', 'Πόλη'],
  'windows-1254': ['Elif Yılmaz Şahin', 'Şehir'],
  'windows-1255': ['שרה לוי', 'עיר'],
  'windows-1256': ['محمد', 'مدينة'],
  'windows-1257': ['Žydrūnas Ķēniņš', 'Miestas ę'],
  'windows-1258': ['Đặng'.normalize('NFD').replace('\u0323', '').replace('\u0306', ''), 'Thưđ'],
  'iso-8859-2': ['Łukasz Dvořák', 'Město'],
  'iso-8859-4': ['Žydrūnas Ķēniņš', 'ę'],
  'iso-8859-5': ['Юлия', 'Город'],
  'iso-8859-7': ['Γιώργος', 'Πόλη'],
  'iso-8859-13': ['Žydrūnas Ķēniņš', 'ę'],
  'iso-8859-15': ['Žofie Œuvre', '€'],
  'koi8-r': ['Юлия Ёлкина', 'Город'],
  'koi8-u': ['Юлія Її', 'Місто'],
  macintosh: ['Zoë Müller', 'Größe'],
  shift_jis: ['田中表ソ', '都市'],
  gbk: ['王小明', '城市'],
  big5: ['王小明許功', '城市'],
  'euc-kr': ['김철수', '도시'],
}

for (const encoding of olderEncodings) {
  test(`a file in ${encoding} is checked anew where its letters are wrong, and imported as it was written`, async () => {
    const [name, heading] = names[encoding]
    const id = await newBusiness(database.db)
    const business = desk.in(id)
    const rows = Array.from({ length: 300 }, (_, i) => `p${i}@example.com,${name},"${name}\n${i}"`)
    const file = encoded(['email,name,'.concat(heading), ...rows, ''].join('\r\n'), encoding)
    const guessed = await business.bring(file)
    assert.deepEqual([guessed.text?.encoding, guessed.text?.is_guess], ['windows-1252', true])
    if (encoding !== 'windows-1252') {
      const unseen = await business.caller.refused(importConfirm, {
        import_id: guessed.import_id,
        encoding,
      })
      assert.deepEqual([unseen.code, unseen.details.field], ['conflict', 'encoding'])
      assert.equal(unseen.details.fix?.arguments?.['dry_run'], true)
    }
    await business.confirm(guessed.import_id, { encoding, dry_run: true })
    await business.run('check', guessed.import_id)
    const checked = await business.get(guessed.import_id)
    assert.deepEqual([checked.state, checked.text?.encoding], ['ready', encoding])
    assert.ok(checked.untrusted?.doubtful?.includes(name), checked.untrusted?.doubtful?.join())
    assert.equal(checked.untrusted?.columns[2]?.column, heading)
    await business.confirm(checked.import_id, { encoding })
    await business.run('run', checked.import_id)
    const done = await business.get(checked.import_id)
    assert.deepEqual(
      [done.state, done.result?.['created'], done.result?.['refused']],
      ['done', 300, 0],
    )
    const people = await contactsOf(database.db, id)
    const [person] = people.filter(({ email }) => email === 'p299@example.com')
    assert.equal(person?.name, name.normalize('NFC'))
    assert.deepEqual(Object.values(person?.attributes ?? {}), [`${name}\n299`])
  })
}

test('an encoding that does not exist is refused with those that do, and one of a UTF-8 file too', async () => {
  const business = desk.in(await newBusiness(database.db))
  const guessed = await business.bring(
    Buffer.from('email,name\na@example.com,Zo\u00eb\n', 'latin1'),
  )
  for (const encoding of ['latin-9', 'utf-8', '__proto__']) {
    const no = await business.caller.refused(importConfirm, {
      import_id: guessed.import_id,
      encoding,
    })
    assert.deepEqual([no.code, no.details.field], ['invalid_request', 'encoding'])
    assert.match(no.message, /windows-1252, windows-1250, .*koi8-r.*gbk/)
  }
  const utf8 = await business.bring('email,name\na@example.com,Zoë\n')
  const no = await business.caller.refused(importConfirm, {
    import_id: utf8.import_id,
    encoding: 'windows-1250',
  })
  assert.match(no.message, /show that it is utf-8/)
})

test('what was chosen for a column stays when the file is read in another encoding', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const file = encoded('E-mail,Jméno,Město,Plán\na@example.com,Dvořák,Plzeň,pro\n', 'windows-1250')
  const guessed = await business.bring(file)
  const [, name = '', city = '', plan = ''] =
    guessed.untrusted?.columns.map(({ column }) => column) ?? []
  await business.confirm(guessed.import_id, {
    mapping: { [name]: 'name', [plan]: null },
    tags: ['brno'],
    encoding: 'windows-1250',
    dry_run: true,
  })
  assert.notEqual(city, 'Město')
  await business.run('check', guessed.import_id)
  const checked = await business.get(guessed.import_id)
  assert.deepEqual(
    checked.untrusted?.columns.map(({ column, becomes }) => [column, becomes]),
    [
      ['E-mail', 'email'],
      ['Jméno', 'name'],
      ['Město', 'attributes.město'],
      ['Plán', null],
    ],
  )
  await business.confirm(checked.import_id, { encoding: 'windows-1250' })
  await business.run('run', checked.import_id)
  const [person] = await contactsOf(database.db, id)
  assert.deepEqual(
    [person?.name, person?.attributes, person?.tags],
    ['Dvořák', { město: 'Plzeň' }, ['brno']],
  )
})
