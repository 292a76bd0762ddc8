export interface OperatorBusinessesSearch {
  /** Part of a name, or of a member's address. */
  q?: string
  tier?: string
  /** The business whose tier is changed. */
  open?: string
}

export function readOperatorBusinessesSearch({
  q,
  tier,
  open,
}: Record<string, unknown>): OperatorBusinessesSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof tier === 'string' && { tier }),
    ...(typeof open === 'string' && { open }),
  }
}
