import type { api } from '../../api/client.ts'

export type Brand = Awaited<ReturnType<typeof api.brand.get>>
export type BrandChanges = Omit<
  NonNullable<Parameters<typeof api.brand.set>[0]>,
  'business_id' | 'dry_run' | 'idempotency_key'
>
export type Logo = NonNullable<Brand['logo']>

/** What each card of the page gets. */
export interface BrandProps {
  /** With the changes that are not saved. */
  brand: Brand
  stored: Brand
  change: (part: BrandChanges) => void
  fault: (field: string) => string | undefined
}
