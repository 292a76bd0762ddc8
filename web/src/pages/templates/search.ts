/** The search parameters of the list of templates. */
export interface TemplatesSearch {
  /** A template whose page is shown. */
  open?: string
  /** Occurs in the name, the key or a tag. */
  q?: string
  tag?: string
}

export function readTemplatesSearch({ open, q, tag }: Record<string, unknown>): TemplatesSearch {
  return {
    ...(typeof open === 'string' && { open }),
    ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 200) }),
    ...(typeof tag === 'string' && tag !== '' && { tag: tag.slice(0, 50) }),
  }
}
