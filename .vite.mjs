import { createServer } from 'vite'
const s = await createServer({ root:'/work/main', logLevel:'error', server:{port:5317,host:'127.0.0.1',strictPort:true,hmr:false,watch:null} })
await s.listen()
