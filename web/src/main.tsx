import './app.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { businessesQuery } from './api/businesses.ts'
import { queryClient } from './api/query-client.ts'
import { createAppRouter } from './router.tsx'
import { applyTheme, chosenTheme } from './shell/theme.ts'
import { lazyPart } from './ui/lazy-part.ts'
import { language, loadTexts } from './words/texts.ts'

const Toasts = lazyPart(() => import('./ui/toasts.tsx'), 'Toasts')

applyTheme(chosenTheme())
document.documentElement.lang = language

const root = document.getElementById('root')
if (!root) throw new Error('The page has no place for the app.')

// React holds back for 300 ms what replaces a placeholder. So none is drawn for the page's own code
// and the businesses: until both are here, the frame of index.html stays.
async function start(place: HTMLElement): Promise<void> {
  const router = createAppRouter()
  await Promise.all([
    loadTexts(),
    router.load(),
    queryClient.prefetchQuery({ ...businessesQuery, retry: false }),
  ])
  createRoot(place).render(
    <StrictMode>
      {/* The policy of the page lets no style element in. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Suspense>
            <Toasts />
          </Suspense>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

// Awaited here, it would never end: a page's code imports this module, and waits until it has run.
void start(root)
