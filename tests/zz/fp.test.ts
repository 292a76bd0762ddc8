import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { openTestbed } from '../operations/support/testbed.ts'
import { addBelongings } from '../operations/support/belongings.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
const cpu = () => process.cpuUsage()
test('x', async () => {
  const t = await openTestbed({ idle: true })
  for (const campaigns of [10, 10, 200]) {
    const a = performance.now()
    const c = process.cpuUsage()
    await addBelongings(t, 'alpha', { campaigns })
    const d = process.cpuUsage(c)
    console.log('belongings', campaigns, performance.now() - a, 'cpu', (d.user + d.system) / 1000)
  }
  await fingerprint(t.db)
  const all = []
  for (let i = 0; i < 30; i++) { const a = performance.now(); const c = process.cpuUsage(); await fingerprint(t.db); const d = process.cpuUsage(c); all.push([Math.round(performance.now() - a), (d.user + d.system) / 1000]) }
  console.log(JSON.stringify(all))
  console.log((await t.db.all(sql`select c.relname, (select count(*)::int from pg_inherits where inhparent = c.oid) as parts from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' where c.relnamespace = 'public'::regnamespace and c.relkind in ('r','p') and not c.relispartition order by 2 desc limit 30`)).map((r: any) => r.relname + ':' + r.parts).join(' '))
  const f = await fingerprint(t.db)
  console.log(Object.entries(f).filter(([,v]) => parseInt(v) > 40).map(([k, v]) => k + ' ' + v).join('; '), Object.keys(f).length)
  const e = await t.db.all(sql`explain (analyze, costs off) select count(*), sum(hashtextextended(t::text, 0)) from events t`)
  console.log(JSON.stringify(e).slice(-300))
  await t.close()
})
