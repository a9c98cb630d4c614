import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { pictureViewerProps } from '#widgets/picture-viewer/picture-viewer.props.ts'

export const pictureViewer = defineWidget({
  type: 'picture-viewer',
  props: pictureViewerProps,
  label: 'label',
  states: { loading: 'self', error: 'card', empty: { prop: 'pictures', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/picture-viewer/PictureViewer.tsx')).PictureViewer })),
})
