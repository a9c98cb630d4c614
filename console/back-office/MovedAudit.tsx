import { Navigate, useLocation } from 'react-router-dom'
import { movedAudit } from '#console/back-office/moved.rules.ts'

/** Links and bookmarks of the audit log from the time when it was a page of the console. */
export const MovedAudit = () => <Navigate to={movedAudit(useLocation().search)} replace />
