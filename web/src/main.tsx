import './app.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { createAppRouter } from './router.tsx'
import { applyTheme, chosenTheme } from './shell/theme.ts'
import { loadWords } from './words/words.ts'

const Toasts = lazy(async () => ({ default: (await import('./ui/toasts.tsx')).Toasts }))

applyTheme(chosenTheme())

const root = document.getElementById('root')
if (!root) throw new Error('The page has no place for the app.')

await loadWords()
createRoot(root).render(
  <StrictMode>
    {/* The policy of the page lets no style element in. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createAppRouter()} />
        <Suspense>
          <Toasts />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
