/** The content of a mail: written in blocks, or as its source. */
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../api/businesses.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { WhatStep } from './what-step.tsx'

// Loaded with its words where a mail is written in blocks.
const BlocksStep = lazy(async () => {
  await (await import('../../words/block-words.ts')).loadBlockWords()
  return { default: (await import('./blocks-step.tsx')).BlocksStep }
})

export function ContentStep(props: { campaign: WholeCampaign; onDone: () => void }) {
  const { campaign } = props
  const may = useMay('editor')
  const { what } = words.campaigns
  const isStored = campaign.variants[0]?.content?.blocks !== undefined
  const [isBlocks, setBlocks] = useState(isStored)
  return (
    <>
      {may && campaign.channel === 'email' && (
        <Button className="justify-self-start" onClick={() => setBlocks(!isBlocks)}>
          {isBlocks ? what.toSource : what.toBlocks}
        </Button>
      )}
      {isBlocks ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <BlocksStep {...props} />
        </Suspense>
      ) : (
        <WhatStep {...props} />
      )}
    </>
  )
}
