/** The remaining setup, the tasks that wait for a person, and the state of the business. */
import { Suspense } from 'react'
import { useBusiness } from '../../api/businesses.ts'
import { StopCard } from '../../parts/connections/stop-card.tsx'
import { StaysHere } from '../../parts/stays-here.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { homeWords } from '../../words/home.ts'
import { words } from '../../words/words.ts'
import { LatelyByProvider } from './lately-by-provider.tsx'
import { Numbers } from './numbers.tsx'
import { SetupSteps } from './setup-steps.tsx'
import { Waiting } from './waiting.tsx'

const GrowthChart = lazyPart(() => import('../../parts/growth-chart.tsx'), 'GrowthChart')

export function Home() {
  const business = useBusiness()
  const { assistant } = homeWords
  const endpoint = `${location.origin}/mcp`
  return (
    <Page title={words.nav.home} detail={<bdi>{business?.name}</bdi>}>
      <Body>
        <StaysHere channel="email" />
        <SetupSteps />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Waiting />
          <Numbers />
        </div>
        <Card title={homeWords.growth}>
          <Suspense fallback={<Skeleton lines={8} />}>
            <GrowthChart days={30} />
          </Suspense>
        </Card>
        <LatelyByProvider />
        <StopCard />
        <Card title={assistant.title}>
          <p className="pb-3 text-muted">{assistant.about}</p>
          <div className="flex flex-wrap items-center gap-2">
            <code className="min-w-0 flex-1 basis-64 truncate rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-sm">
              {endpoint}
            </code>
            <CopyButton text={endpoint} label={assistant.copy} />
          </div>
        </Card>
      </Body>
    </Page>
  )
}
