/** The template database: named by a hash of the migrations, and made by running them. */
import { createHash } from 'node:crypto'
import { migrate, readMigrations } from 'crier-server/lib/db/migrate.ts'
import type pg from 'pg'

export const testRole = 'crier'

export function templateName(): string {
  const contents = createHash('sha256')
  for (const migration of readMigrations()) contents.update(migration.sha256)
  return `template_${contents.digest('hex').slice(0, 16)}`
}

/** Creates it and returns its name. Its owner is an ordinary role, as in production. */
export async function templateDatabase(admin: pg.Client, server: pg.ClientConfig): Promise<string> {
  const name = templateName()
  await admin.query(`create role ${testRole} login`)
  await admin.query(`create database ${name} owner ${testRole}`)
  await migrate({ ...server, user: testRole, database: name })
  return name
}
