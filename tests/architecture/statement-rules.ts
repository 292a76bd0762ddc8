/**
 * The rules that keep statements fit for a distributed database, where a business's rows are
 * together on one node (Citus 13.2 refuses or misplaces statements that break them).
 */
import { strict, textForBusiness } from 'crier-server/lib/db/distribution.ts'
import { routeInserts, routeInsertsOfOne } from 'crier-server/lib/db/routed-insert.ts'
import { businessTables, tablesOf } from './statements.ts'

/**
 * People reach several businesses by them, so they stay on one node and are known to the others
 * (docs/decisions/0033-statements-of-sets.md).
 */
const identity = new Set([
  'memberships',
  'invitations',
  'api_keys',
  'sending_stops',
  'factor_resets',
  'ownership_offers',
  'identity_providers',
  'provider_domains',
  'removed_members',
])
const isDistributed = (table: string) => businessTables.has(table) && !identity.has(table)

const isOfBusinesses = (text: string) => tablesOf(text).some(isDistributed)
const namesBusiness = (text: string) =>
  /\bbusiness_id = (?:any ?\()?\$/.test(text) || insertsAlone(text) || isNamedBySet(text)

/** Every inserted row names its business, and no rows of another business are read for it. */
function insertsAlone(text: string): boolean {
  const [, table, columns = ''] = /\binsert into (\w+)(?: as \w+)? \(([^)]*)\)/.exec(text) ?? []
  const others = tablesOf(text).filter((entry) => entry !== table && isDistributed(entry))
  return others.length === 0 && /\bbusiness_id\b/.test(columns)
}

/** Whether one parameter holds rows of several businesses. */
const isOfSeveral = (text: string) =>
  /\b(?:unnest|json_to_recordset)\b[\s\S]*?\(\s*"?business_?id"?\b/i.test(text) ||
  /\bwith \w+ \(business_id\b[^)]*\) as \( select \* from unnest\b/.test(text)

/** The words that may follow a table which has no other name. */
const noName = /^(?:set|where|on|using|join|left|cross|order|group|limit|for|as|known)$/

/**
 * Whether each table's rows are of the business that a row of the set names. The group commit
 * decides how many businesses a set is of: for a set of one, `placeStatement` in `lib/db/distribution.ts` makes it a statement on the
 * node of that business.
 */
function isNamedBySet(text: string): boolean {
  if (!isOfSeveral(text)) return false
  const statement = textForBusiness(strict(text), '$')
  return [...text.matchAll(/\b(?:from|join|update|using) (\w+)(?: (\w+))?/g)]
    .filter(([, table = '']) => isDistributed(table))
    .every(([, table = '', next = '']) => {
      const name = next === '' || noName.test(next) ? table : next
      const named = [`${name}.business_id = $`, ` business_id = $`]
      return (
        statement.includes(named[0] ?? '') || (name === table && statement.includes(named[1] ?? ''))
      )
    })
}

/** A function that PostgreSQL considers STABLE: its value may change with a setting. */
const stable =
  /\b(?:json_build_object|jsonb_build_object|to_jsonb?|row_to_json|to_char|convert_to|concat|format)\(|::text\[\]|::timestamptz\b/

/** The rules, by the names under which statements.txt lists their exceptions. */
export const rules: Readonly<Record<string, (text: string) => boolean>> = {
  'business-named': (text) => isOfBusinesses(text) && !namesBusiness(text),

  'no-stable-function-in-update': (text) => {
    const update = /\bupdate (\w+)[\s\S]*?\bset\b([\s\S]*)$/.exec(text)
    const [, table = '', rest = ''] = update ?? []
    return isDistributed(table) && stable.test(withoutParameters(withoutSubqueries(rest)))
  },

  'no-parameter-in-conflict': (text) =>
    isOfBusinesses(text) &&
    /\binsert into \w+[\s\S]*\bselect\b[\s\S]*\bon conflict\b[\s\S]*\bdo update\b[\s\S]*\bwhere\b[\s\S]*\$/.test(
      text,
    ),

  'set-inserted-on-its-node': (text) => {
    const inserts = [...text.matchAll(/\binsert into (\w+)(?: as \w+)? \([^)]*\) select\b/g)]
    const numbered = text.replaceAll('$', '$1')
    const sent = routeInserts(routeInsertsOfOne(numbered), '$1').split(' as home (home_id)')
    return inserts.filter(([, table = '']) => isDistributed(table)).length > sent.length - 1
  },

  'queue-joined-by-business': (text) =>
    tablesOf(text).filter(isDistributed).length > 1 && !isQueueNamed(strict(text)),
}

/** Whether each mention of jobs and lanes is joined by the business: it lives with their rows. */
function isQueueNamed(text: string): boolean {
  return [
    ...text.matchAll(/\b(?:from|join|update|using) (?:jobs|lanes)(?: as)?(?: (\w+))?/g),
  ].every(({ 0: found, 1: next = '' }) => {
    const table = /jobs|lanes/.exec(found)?.[0] ?? ''
    const name = next === '' || noName.test(next) ? table : next
    const own = text.includes(`${name}.business_id = `) || text.includes(`= ${name}.business_id`)
    return own || (name === table && /[ (]business_id = /.test(text))
  })
}

/** `offset 0` has a subquery evaluated before the rows are changed. */
const withoutSubqueries = (text: string) =>
  text.replaceAll(/\( select (?:(?! select )[\s\S])*? offset 0 \)/g, '')

/** A cast of a parameter is evaluated once, before any row is read. */
const withoutParameters = (text: string) => text.replaceAll(/\$(?:::[\w[\]]+)+/g, '$')
