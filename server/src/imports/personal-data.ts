/**
 * The personal data that imports hold. An erasure removes the person from the undo data and from
 * the refused rows. A running import refuses the rows of a file that name the person, and the file
 * is removed at the end. A file that waits for its confirmation is removed at once.
 */

import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { ErasedPerson, PersonalData } from '../contacts/personal-data.ts'
import { sha256Of } from '../contacts/suppressions/suppression.ts'
import type { Id } from '../core/ids.ts'
import type { Files } from '../files/files.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { forgetHashes, forgetPerson, moveChanges } from './changes.ts'
import { fileOf, findWithFiles, type Import, planOf, saveImport } from './import.ts'
import { addressesOf, type FileReader, rawTextOf } from './reader.ts'

interface ImportPersonalDataDeps {
  files: Files
  reader: FileReader
}

export function importPersonalData({ files, reader }: ImportPersonalDataDeps): PersonalData {
  return {
    async move(tx, { businessId, from, to }) {
      await moveChanges(tx, businessId, { from, to })
    },

    async forget(tx, erased, now) {
      const { businessId } = erased
      await forgetPerson(tx, businessId, erased)
      // Files name people by their addresses alone.
      if (erased.addresses.length === 0) return true
      await forgetHashes(tx, businessId, erased.addresses.map(sha256Of))
      let isDone = true
      for (const importRow of await findWithFiles(tx, businessId)) {
        if (importRow.state === 'ready') {
          if (!(await names(reader, importRow, erased))) continue
          const fault = { code: 'erased', message: erasedWords }
          const ended: Import = {
            ...importRow,
            state: 'failed',
            found: null,
            hasFile: false,
            fault,
          }
          await saveImport(tx, businessId, { ...ended, finishedAt: now })
          await files.remove(fileOf(businessId, importRow).name)
        } else isDone = false
      }
      return isDone
    },
  }
}

const hashOf = (address: string) => sha256Of(address).toString('hex')

const erasedWords =
  'A person whom the file names was erased after it was uploaded, and the file with them. Upload it again without them.'

async function names(
  reader: FileReader,
  importRow: Import,
  { businessId, addresses }: ErasedPerson,
): Promise<boolean> {
  const plan = planOf(importRow)
  if (!plan) return true
  const addressTexts = new Set([...addresses, ...addresses.map(hashOf)])
  const windows = reader.windows(fileOf(businessId, importRow), { plan, from: plan.start })
  for await (const window of windows) {
    const isNamed = window.rows.some((row) => {
      // A row or cell that cannot be read names no person, but its text may contain an address.
      if (row.fault || row.leftOut) return hasAddress(rawTextOf(window, row, plan), addressTexts)
      const { email, phone, sha256 } = addressesOf(row) ?? {}
      return [email, phone, sha256].some((text) => text !== undefined && addressTexts.has(text))
    })
    if (isNamed) return true
  }
  return false
}

/** The last digits of a phone number identify it, however its prefix is written. */
const tellingDigits = 8
const betweenDigits = new Set(' \u00a0\t()-./')

/** Returns whether the text may contain one of the addresses; a false match only costs an upload. */
function hasAddress(text: string, addresses: ReadonlySet<string>): boolean {
  const lower = text.toLowerCase()
  let closed = ''
  for (const letter of text) if (!betweenDigits.has(letter)) closed += letter
  return [...addresses].some((address) => {
    if (address.startsWith('+')) return closed.includes(address.slice(-tellingDigits))
    return lower.includes(address.toLowerCase())
  })
}

export const importPersonPart: PersonPart = {
  name: 'import_changes',
  tables: ['import_changes'],
  page: (db, { businessId, contact }, page) => changeRows(db, { businessId, id: contact.id }, page),
}

/** The data of one person that imports of the last days keep in order to be undone. */
function changeRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select h.import_id::text as key, to_jsonb(h) - '{business_id,contact_id}'::text[] as row
    from import_changes h
    where h.business_id = ${businessId} and h.contact_id = ${id} and h.import_id::text > ${after}
    order by h.import_id::text limit ${limit}
  `)
}
