/**
 * The rules that keep statements fit for a distributed database, where a business's rows are
 * together on one node (Citus 13.2 refuses or misplaces statements that break them).
 */
import { businessTables, tablesOf } from './statements.ts'

const isOfBusinesses = (text: string) => tablesOf(text).some((table) => businessTables.has(table))
const namesBusiness = (text: string) =>
  /\bbusiness_id = (?:any ?\()?\$/.test(text) || insertsAlone(text)

/** Every inserted row names its business, and no rows of another business are read for it. */
function insertsAlone(text: string): boolean {
  const [, table, columns = ''] = /\binsert into (\w+)(?: as \w+)? \(([^)]*)\)/.exec(text) ?? []
  const others = tablesOf(text).filter((entry) => entry !== table && businessTables.has(entry))
  return others.length === 0 && /\bbusiness_id\b/.test(columns)
}

/** Whether one parameter holds rows of several businesses. */
const isOfSeveral = (text: string) =>
  /\b(?:unnest|json_to_recordset)\b[\s\S]*?\(\s*"?business_?id"?\b/i.test(text)

/** A function that PostgreSQL considers STABLE: its value may change with a setting. */
const stable =
  /\b(?:json_build_object|jsonb_build_object|to_jsonb?|row_to_json|to_char|concat|format)\(|::text\[\]|::timestamptz\b/

/** The rules, by the names under which statements.txt lists their exceptions. */
export const rules: Readonly<Record<string, (text: string) => boolean>> = {
  'business-named': (text) => isOfBusinesses(text) && !namesBusiness(text),

  'no-lock-of-several': (text) =>
    isOfBusinesses(text) &&
    isOfSeveral(text) &&
    /\blateral\b|\bfor (?:no key )?update\b/.test(text),

  'no-stable-function-in-update': (text) => {
    const update = /\bupdate (\w+)[\s\S]*?\bset\b([\s\S]*)$/.exec(text)
    const [, table = '', rest = ''] = update ?? []
    return businessTables.has(table) && stable.test(withoutParameters(rest))
  },

  'no-parameter-in-conflict': (text) =>
    isOfBusinesses(text) &&
    /\binsert into \w+[\s\S]*\bselect\b[\s\S]*\bon conflict\b[\s\S]*\bdo update\b[\s\S]*\bwhere\b[\s\S]*\$/.test(
      text,
    ),

  'no-join-with-jobs': (text) => tablesOf(text).includes('jobs') && isOfBusinesses(text),
}

/** A cast of a parameter is evaluated once, before any row is read. */
const withoutParameters = (text: string) => text.replaceAll(/\$(?:::[\w[\]]+)+/g, '$')
