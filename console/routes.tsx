import { Navigate, type RouteObject } from 'react-router-dom'
import { MovedAudit } from '#console/back-office/MovedAudit.tsx'
import { DraftFrame } from '#console/shell/DraftFrame.tsx'
import { BrokenPage, LostPage } from '#console/shell/ErrorPages.tsx'
import { Frame } from '#console/shell/Frame.tsx'

/** The pages of the console, each in a chunk of its own. */
export const routes: RouteObject[] = [
  {
    path: '/login',
    errorElement: <BrokenPage />,
    lazy: async () => ({ Component: (await import('#console/account/LoginPage.tsx')).LoginPage }),
  },
  {
    path: '/setup/:token?',
    HydrateFallback: () => null,
    errorElement: <BrokenPage />,
    lazy: async () => ({ Component: (await import('#console/account/SetupPage.tsx')).SetupPage }),
  },
  {
    path: '/',
    Component: Frame,
    // The frame shows its own placeholders until the chunk of the first page is loaded.
    HydrateFallback: () => null,
    errorElement: <BrokenPage />,
    children: [
      {
        errorElement: <BrokenPage inside />,
        children: [
          { index: true, lazy: async () => ({ Component: (await import('#console/start/StartPage.tsx')).StartPage }) },
          { path: 'drafts', lazy: async () => ({ Component: (await import('#console/start/DraftsPage.tsx')).DraftsPage }) },
          {
            path: 'draft/:id',
            Component: DraftFrame,
            children: [
              { index: true, lazy: async () => ({ Component: (await import('#console/editor/DocumentsPage.tsx')).DocumentsPage }) },
              { path: 'documents', lazy: async () => ({ Component: (await import('#console/editor/DocumentsPage.tsx')).DocumentsPage }) },
              { path: 'document/*', lazy: async () => ({ Component: (await import('#console/editor/DocumentPage.tsx')).DocumentPage }) },
              { path: 'texts', lazy: async () => ({ Component: (await import('#console/texts/TextsPage.tsx')).TextsPage }) },
              { path: 'theme', lazy: async () => ({ Component: (await import('#console/theme/ThemePage.tsx')).ThemePage }) },
              { path: 'review', lazy: async () => ({ Component: (await import('#console/review/ReviewPage.tsx')).ReviewPage }) },
            ],
          },
          { path: 'releases', lazy: async () => ({ Component: (await import('#console/releases/ReleasesPage.tsx')).ReleasesPage }) },
          { path: 'release/:number', lazy: async () => ({ Component: (await import('#console/releases/ReleasePage.tsx')).ReleasePage }) },
          // Addresses of pages that became pages of the back office.
          { path: 'outbox', element: <Navigate to="/back-office/messages" replace /> },
          { path: 'audit', element: <MovedAudit /> },
          { path: 'operators', element: <Navigate to="/back-office/operators" replace /> },
          {
            path: 'back-office/*',
            lazy: async () => ({ Component: (await import('#console/back-office/BackOfficePage.tsx')).BackOfficePage }),
          },
          { path: 'account', lazy: async () => ({ Component: (await import('#console/account/AccountPage.tsx')).AccountPage }) },
          { path: '*', element: <LostPage /> },
        ],
      },
    ],
  },
]
