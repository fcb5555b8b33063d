import { el } from "./elements.js";
export class BuildView { constructor(s){ this.id="build"; this.title="Build"; this.about="Build"; this.element=el("section",{class:"view"}, "…"); } show(){} }
