/** The dialog that asks for a second factor, loaded when it is first needed. */
import { Suspense } from 'react'
import { useFactorNeed } from '../api/factor.ts'
import { lazyPart } from '../ui/lazy-part.ts'

const FactorDialog = lazyPart(() => import('./factor-dialog.tsx'), 'FactorDialog')

export function FactorNeed() {
  if (!useFactorNeed()) return null
  return (
    <Suspense>
      <FactorDialog />
    </Suspense>
  )
}
