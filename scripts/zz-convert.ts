import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { parse } from '#language/parse.ts'
import { formatted } from '#language/expression-texts.ts'
import { parseLogic } from '#language/logic-text.ts'
import { toText } from '#language/infix.ts'
import { canonical } from '#language/canonical.ts'
const files: {file:string,text:string}[]=[]
const walk=(d:string)=>{for(const e of readdirSync(d,{withFileTypes:true})){const p=d+'/'+e.name; if(e.isDirectory()){if(e.name!=='meta')walk(p)} else if(p.endsWith('.json'))files.push({file:p,text:readFileSync(p,'utf8')})}}
walk(process.argv[2]!)
const before=parse(files)
const after=parse(files.map(f=>({file:f.file,text:formatted(f.text)})))
console.log(before.documents.length, after.documents.length, after.problems.slice(0,5))
let same=0; const diff:string[]=[]
after.documents.forEach((d,i)=>{ if(canonical(d.doc)===canonical(before.documents[i]!.doc))same++; else diff.push(d.file)})
console.log({same}, diff.length, diff.slice(0,50).join('\n'))
let lines=0, by:Record<string,number>={}
for(const f of files){ const t=formatted(f.text); const n=t.split('\n').length-1; lines+=n; const k=f.file.split('/').slice(0,f.file.startsWith('console')?3:2).join('/'); by[k]=(by[k]??0)+n; if(process.argv[3]==='--write')writeFileSync(f.file,t)}
console.log(lines,by)
