/** The places of ids in a schema, found by the pattern of their prefix. */
import type { Schema } from './schema.ts'

export interface IdPlace {
  /** From the outside in; a number is an index of an array. */
  path: (string | number)[]
  /** `frm` for `frm_…`. */
  prefix: string
}

export function idPlaces(schema: Schema, path: (string | number)[] = []): IdPlace[] {
  const prefix = /^\^([a-z]{3})_/.exec(schema.pattern ?? '')?.[1]
  if (prefix !== undefined) return [{ path, prefix }]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      idPlaces(property, [...path, key]),
    ),
    ...(schema.anyOf ?? []).flatMap((choice) => idPlaces(choice, path)),
    ...(schema.items ? idPlaces(schema.items, [...path, 0]) : []),
  ]
}

/** Fields that are named like ids, and whose schema does not say of which kind. */
export function untypedIds(schema: Schema, path = ''): string[] {
  const within = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const place = `${path}${key}`
    // Not ids of rows: the name of a part within a mail (RFC 2392), and ids of the caller's own.
    const isId = /(^|_)ids?$/.test(key) && key !== 'content_id' && key !== 'external_id'
    if (isId && idPlaces(property).length === 0) return [place]
    return untypedIds(property, `${place}.`)
  })
  return [...within, ...(schema.items ? untypedIds(schema.items, `${path}[].`) : [])]
}
