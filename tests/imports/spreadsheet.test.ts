/** LibreOffice opens an export: strangers' input stays text, and nothing of it runs. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { contactsCsv } from 'crier-server/exports/contacts-csv.ts'
import { guarded } from 'crier-server/imports/cells.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { usageCsv } from '../../web/src/parts/usage/usage-csv.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { saveAll, toSave } from '../support/businesses/contacts.ts'
import { testVault } from '../support/clients/calls.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'

const soffice = '/usr/bin/soffice'
const run = promisify(execFile)

/** A spreadsheet would read each as a formula, a command, or a shifted column. */
const names = [
  '=1+1',
  "+cmd|' /C calc'!A0",
  '@SUM(1,1)',
  '-1+1',
  '\t=1+1',
  '\r=1+1',
  "'=1+1",
  '=HYPERLINK("https://evil.example","Ana")',
  ';=1+1',
  'Ana "=1+1"',
  'Ana;=1+1',
  'Ana;"=1+1',
  'Ana, Bo;=1+1',
  'Ana "B"; =1+1',
  'Ana\t=1+1',
  'Ana\n=1+1',
  'Ana\r\n=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1,1)',
  '  =1+1',
  '\u00a0=1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  'Ana;\u200b =1+1',
]

/** Separators that a person may choose when the file is opened, by their code. */
const separators = { comma: 44, semicolon: 59, tab: 9 }

test('no exported name, tag or attribute becomes a formula in LibreOffice', {
  skip: missingPrograms(soffice) ?? false,
}, async () => {
  const database = await testDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-sheet-'))
  try {
    const id = await newBusiness(database.db)
    const people = names.map((name, n) => ({
      email: `p${n}@example.com`,
      name,
      tags: [`=tag${n}()`],
      attributes: { note: name, [`=key${n}()`]: 'x', [`key${n};=1+1`]: 'x' },
    }))
    await saveAll(
      database.db,
      people.map((person) => toSave(id, person)),
    )
    let csv = ''
    for await (const piece of contactsCsv({ db: database.db, hmac: testVault.hmac }, id, sql`true`))
      csv += piece
    for (const [name, code] of Object.entries(separators)) {
      const sheet = await opened(folder, csv, code)
      assert.doesNotMatch(sheet, /table:formula=/, name)
      assert.doesNotMatch(sheet, /Err:\d|#NAME\?/, name)
    }
    const texts = textsOf(await opened(folder, csv))
    for (const one of ['=1+1', '@SUM(1,1)', '-1+1', '=tag0()']) {
      assert.ok(texts.includes(`'${one}`), `${one} is not among ${JSON.stringify(texts)}`)
    }
    // Without the guard the check does find a formula.
    const unguarded = csv.replaceAll(/(^|,)'=1\+1/gm, '$1=1+1')
    assert.match(await opened(folder, unguarded), /table:formula=/)
    const withinCells = csv.replaceAll(";'=1+1", ';=1+1')
    assert.match(await opened(folder, withinCells, separators.semicolon), /table:formula=/)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  }
})

test('the app guards the names in its file of usage as the exports do', () => {
  const counter = { metric: 'emails', per: 'month', used: 1, limit: null }
  const month = '2026-11-01'
  for (const name of [...names, 'Ana', '-5', 'a;-5', '\tAna', "'t Hooft"]) {
    const report = { month, business_id: 'biz', tier: 'scale', counters: [counter] }
    const csv = usageCsv([{ name, report }])
    assert.ok(csv.includes(`,"${guarded(name).replaceAll('"', '""')}",`), csv)
  }
})

/** The sheet as flat XML, in which each formula is an attribute of its cell. */
async function opened(
  folder: string,
  csv: string,
  separator: number = separators.comma,
): Promise<string> {
  await writeFile(path.join(folder, 'contacts.csv'), csv)
  // A separate profile, because the machine's own may be in use.
  const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile')).href}`
  const convert = ['--headless', '--convert-to', 'fods', '--outdir', folder]
  // Tokens of the filter: the separator, the quote (34) and the character set (76, UTF-8).
  const filter = `--infilter=CSV:${separator},34,76`
  await run(soffice, [profile, filter, ...convert, path.join(folder, 'contacts.csv')], {
    timeout: 120_000,
  })
  return readFile(path.join(folder, 'contacts.fods'), 'utf8')
}

function textsOf(sheet: string): string[] {
  return [...sheet.matchAll(/<text:p>([^<]*)<\/text:p>/g)].map(([, text = '']) =>
    text.replaceAll('&apos;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}
