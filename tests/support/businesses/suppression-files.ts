/** The list of suppressions as it is exported, and the undo of an import that filled it. */
import assert from 'node:assert/strict'
import type { Id } from 'crier-server/core/ids.ts'
import { suppressionsTable, tableCsv } from 'crier-server/exports/tables.ts'
import { importUndo } from 'crier-server/imports/undo.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { testVault } from '../clients/calls.ts'
import type { BusinessImports } from './imports.ts'

/** The lines of the export, of which the first has the names of the columns. */
export async function suppressionsCsv(db: Database, id: Id<'business'>): Promise<string[]> {
  let text = ''
  for await (const piece of tableCsv(suppressionsTable(db, id, testVault.hmac))) text += piece
  return text.trimEnd().split('\r\n')
}

export async function undoImport(business: BusinessImports, importId: string) {
  await business.caller.get(importUndo, { import_id: importId })
  await business.run('undo', importId)
  const undone = await business.get(importId)
  assert.equal(undone.state, 'undone')
  return undone.result?.undone
}
